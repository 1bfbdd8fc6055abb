import Foundation
import Testing

@Suite("opviz check --budgets")
struct CheckBudgetsTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try SimulatedRuns().write(12, seed: 1, to: "old", in: folder)
        try SimulatedRuns(second: 5).write(12, seed: 2, to: "same", in: folder)
        try SimulatedRuns(parse: 1.4, second: 10).write(12, seed: 3, to: "slow", in: folder)
        try folder.write(
            "- makespan: 1min\n- no failures\n- kind: Parse\n  max execution: 1s\n", to: "wide.yml")
        try folder.write("- makespan: 1min\n- kind: Parse\n  max execution: 1ms\n", to: "tight.yml")
    }

    private func check(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["check"] + arguments, in: folder)
    }

    @Test("check --budgets needs no baseline, and exits with 0 if every budget is kept")
    func kept() throws {
        let run = try check("old", "--budgets", "wide.yml")
        #expect(run.status == 0 && run.error == "")
        #expect(run.text.hasPrefix("Budgets of wide.yml\n"))
        #expect(run.text.hasSuffix("3 budgets kept in 12 runs.\n"))
    }

    @Test("check --budgets exits with 1 if one is broken, and says which, with the numbers and the line")
    func broken() throws {
        let run = try check("old/0.json", "--budgets", "tight.yml")
        #expect(run.status == 1)
        #expect(run.text.contains("\nbroken: max execution of Parse is 1"))
        #expect(run.text.contains("over the limit of 1.00 ms"))
        #expect(run.text.contains("(tight.yml:3)"))
        let files = try check(
            "old/0.json", "--budgets", "tight.yml", "-o", "x.md", "-o", "x.xml", "-o", "x.json")
        #expect(files.status == 1)
        #expect(files.text.hasPrefix("broken: max execution of Parse is "))
        #expect(String(decoding: try folder.read("x.md"), as: UTF8.self).contains("**broken:**"))
        #expect(XMLDocumentCheck(try folder.read("x.xml")).count(of: "testcase") == 2)
        #expect(
            String(decoding: try folder.read("x.xml"), as: UTF8.self).contains("tests=\"2\" failures=\"1\""))
        let json = try JSONSerialization.jsonObject(with: folder.read("x.json")) as? [String: Any]
        #expect(json?["isBroken"] as? Bool == true)
        #expect((json?["budgets"] as? [Any])?.count == 2)
        let github = try check("old/0.json", "--budgets", "tight.yml", "--format", "github")
        #expect(
            github.text.hasPrefix("::error file=tight.yml,line=3,title=Budget%3A max execution of Parse::"))
    }

    @Test("check --budgets works beside a check of timings: the worse result is the exit code")
    func both() throws {
        let kept = try check("same", "--baseline", "old", "--interleaved", "--budgets", "wide.yml")
        #expect(kept.status == 0)
        #expect(kept.text.hasPrefix("unchanged: makespan ") && kept.text.contains("\nBudgets of wide.yml\n"))
        let broken = try check("same", "--baseline", "old", "--interleaved", "--budgets", "tight.yml")
        #expect(broken.status == 1)
        #expect(
            broken.text.hasPrefix("unchanged: makespan ") && broken.text.contains("\nbroken: max execution"))
        let regressed = try check(
            "slow", "--baseline", "old", "--interleaved", "--budgets", "wide.yml", "--format", "json")
        #expect(regressed.status == 1)
        let json = try JSONSerialization.jsonObject(with: regressed.output) as? [String: Any]
        #expect(json?["verdict"] as? String == "regressed")
        #expect((json?["budgets"] as? [Any])?.count == 3)
        // Inconclusive alone would be 2.
        let strict = try check("slow", "--baseline", "old", "--strict", "--budgets", "tight.yml")
        #expect(strict.status == 1)
    }

    @Test("check --budgets knows of a killed run no budget to be kept, and ends with 2 under --strict")
    func killed() throws {
        try SimulatedRuns(isClosed: false).write(1, seed: 5, to: "killed", in: folder)
        let run = try check("killed", "--budgets", "wide.yml")
        #expect(
            run.status == 0
                && run.error.contains("warning: INCONCLUSIVE: events that the budgets need were not recorded")
        )
        #expect(run.text.contains("inconclusive: 0 budgets kept; 3 depend on events that were not recorded."))
        #expect(try check("killed", "--budgets", "wide.yml", "--strict").status == 2)
        #expect(try check("killed", "--budgets", "tight.yml", "--strict").status == 1)
    }

    @Test(
        "check --budgets applies to the new command's runs if two are run alternately",
        .enabled(if: TestProgram.canCompile))
    func interleaved() throws {
        let program = try TestProgram.queues.path()
        try folder.write("- makespan: 1min\n- count: 1\n", to: "few.yml")
        let run = try check(
            "--interleave", "3", "--budgets", "few.yml", "--format", "json", "--", program, "--", program)
        #expect(run.status == 1)
        let json = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let budgets = try #require(json["budgets"] as? [[String: Any]])
        #expect(budgets.map { $0["verdict"] as? String } == ["kept", "broken"])
        #expect(budgets.map { $0["brokenRuns"] as? Int } == [0, 3])
    }

    @Test("the exit code of a broken budget reaches a shell")
    func shell() throws {
        let environment = ["OPVIZ": CommandRun.program.path]
        let run = try ProgramRun(
            ["sh", "-c", "\"$OPVIZ\" check old/0.json --budgets tight.yml >/dev/null || exit $(($? + 10))"],
            in: folder,
            environment: environment)
        #expect(run.status == 11)
    }

    @Test("an invalid budget file or an unknown kind exits with 65, and a missing file with 66")
    func misuse() throws {
        try folder.write("- makespan: 1s\n- makspan: 2s\n", to: "wrong.yml")
        let wrong = try check("old/0.json", "--budgets", "wrong.yml")
        #expect(wrong.status == 65)
        #expect(wrong.error == "opviz: wrong.yml:2: no limit named 'makspan'; did you mean 'makespan'?\n")
        try folder.write("- kind: Prase\n  count: 1\n", to: "kind.yml")
        let kind = try check("old/0.json", "--budgets", "kind.yml")
        #expect(kind.status == 65)
        #expect(
            kind.error
                == "opviz: kind.yml:2: no operation of kind 'Prase'; did you mean 'Parse'?\n")
        #expect(try check("old/0.json", "--budgets", "absent.yml").status == 66)
        #expect(try check("--budgets", "wide.yml").status == 64)
        #expect(try check("old/0.json", "--budgets", "wide.yml", "--interleaved").status == 64)
        #expect(try check("old/0.json", "--budgets", "wide.yml", "-o", "wide.yml").status == 64)
        #expect(try CommandRun("baseline", "old", "-o", "b.json", in: folder).status == 0)
        #expect(try check("b.json", "--budgets", "wide.yml").status == 64)
    }
}
