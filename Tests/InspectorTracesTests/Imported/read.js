const { readFile } = require('fs/promises');
async function size(path) { performance.mark('before'); return (await readFile(path)).length; }
Promise.all([size(__filename), size(__filename)]).then(sizes => console.log(sizes));
