#include <numeric>
#include <vector>
int main() { std::vector<int> a{1, 2, 3}; return std::accumulate(a.begin(), a.end(), 0); }
