import AppContainer
import BillfoldJSON
import Foundation
import Testing

struct WorkerTests {
    /// Built beside the tests.
    static let executable: URL = {
        var folder =
            Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        let argument = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return [folder, argument].map { $0.appending(path: "billfold-mini-program") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? folder.appending(path: "billfold-mini-program")
    }()

    private func worker(_ page: String, _ host: Witness, _ configure: (inout MiniProgramSetup) -> Void = { _ in }) throws -> WorkerProgram {
        let program = try WorkerProgram(setup(page, host, configure), executable: Self.executable)
        program.launch()
        return program
    }

    @Test func workerRunsAProgramAsThisProcessDoes() async throws {
        let host = Witness { call in .success(["name": .string(call.name)]) }
        let program = try worker(
            """
            Page({ data: { n: 0 }, async onLoad() {
              my.setStorageSync({ key: 'a', data: 5 }); this.setData({ n: my.getStorageSync({ key: 'a' }).data })
              console.log((await my.confirm()).name); setTimeout(() => { console.log('timer'); missing() }, 20) }, tap() { console.log('tapped') } })
            """, host)
        #expect(await host.wait { $0.errors.count == 1 })
        #expect(host.logs == ["confirm", "timer"])
        #expect(host.updates.map(\.words) == [#"page  {"n":0}; set n 5"#])
        #expect(host.errors.first?.file == "/pages/index/index.js")
        program.trigger("tap")
        #expect(await host.wait { $0.logs.last == "tapped" })
        program.end()
    }

    @Test(arguments: [
        "let q = []; for (;;) q.push(new Array(1000).fill(7.5))", "let q = []; for (;;) q.push(new Uint8Array(1 << 20).fill(1))",
        "let s = 'x'; for (;;) { s += s; s.indexOf('y') }",
    ])
    func fullHeapEndsTheWorkerAlone(script: String) async throws {
        let (bad, good) = (Witness(), Witness())
        let neighbour = try worker("Page({ act() { console.log('alive') } })", good)
        let program = try worker("Page({ onLoad() { try { \(script) } catch (e) { console.log('caught', e.message); for (;;); } } })", bad)
        {
            $0.limits.workerMemoryBytes = 67_108_864
            $0.limits.turn = .seconds(8)
            $0.limits.workerSilence = .seconds(9)
        }
        #expect(await bad.wait { $0.end != nil || !$0.logs.isEmpty })
        if let end = bad.end { #expect([.memoryExceeded, .workerEnded].contains(end?.code)) }
        neighbour.trigger("act")
        #expect(await good.wait { $0.logs == ["alive"] })
        program.end()
        neighbour.end()
    }

    // The engine ends a search after so many steps, which take a fast machine less than a second: each step of this one is long.
    @Test(arguments: ["(function l() { return Promise.resolve().then(l) })()", #"/(a+)\1+c/.test('a'.repeat(20000))"#])
    func turnThatNoWatchdogEndsIsKilled(script: String) async throws {
        let host = Witness()
        let program = try worker("Page({ onLoad() { \(script) } })", host) {
            $0.limits.turn = .milliseconds(300)
            $0.limits.workerSilence = .seconds(1)
        }
        #expect(await host.wait { $0.end != nil })
        #expect([.workerUnresponsive, .memoryExceeded].contains(host.end??.code))
        program.end()
    }

    @Test func killedWorkerIsReported() async throws {
        let host = Witness()
        let program = try worker("Page({ onLoad() { console.log('here') } })", host)
        #expect(await host.wait { !$0.logs.isEmpty })
        kill(program.processID, SIGKILL)
        #expect(await host.wait { $0.end != nil })
        #expect(host.end??.code == .workerEnded)
        #expect(host.end??.reason.contains("signal 9") == true)
    }

    @Test func missingWorkerProgramIsAnError() {
        #expect(throws: AppContainerError(code: .workerUnavailable, reason: "")) {
            _ = try WorkerProgram(setup("Page({})", Witness()), executable: URL(filePath: "/nowhere/worker"))
        }
    }
}
