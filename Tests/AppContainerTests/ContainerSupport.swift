import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import Synchronization

/// A program of a few files, run to its end by a script.
struct Play {
    var files: [String: String]
    var pages = ["pages/index/index", "pages/second/second"]
    var tabs: [String] = []
    var script = HostScript()
    var limits = ContainerLimits()

    /// - Parameter page: The text of the home page.
    init(page: String, app: String? = nil, files: [String: String] = [:]) {
        self.files = files
        self.files["/pages/index/index.js"] = page
        if files["/pages/second/second.js"] == nil { self.files["/pages/second/second.js"] = "Page({})" }
        if let app { self.files["/app.js"] = app }
    }

    var code: MiniProgramCode { MiniProgramCode(pages: pages, tabPages: tabs, modules: files.mapValues { .init(text: $0) }) }

    func run() throws -> RunTranscript {
        var run = MiniProgramRun(code: code, script: script)
        run.limits = limits
        return try run.run()
    }

    /// What the program logs, one text a line.
    func logs() throws -> [String] { try run().logs }
}

extension RunTranscript {
    var logs: [String] {
        entries.compactMap { if case .event(.console(_, let text)) = $0.kind { text } else { nil } }
    }

    var updates: [ViewUpdate] { entries.compactMap { if case .update(let update) = $0.kind { update } else { nil } } }

    var warnings: [String] { entries.compactMap { if case .event(.warning(let text)) = $0.kind { text } else { nil } } }

    var answers: [(name: String, answer: JSAPIAnswer)] {
        entries.compactMap { if case .event(.answered(let name, let answer)) = $0.kind { (name, answer) } else { nil } }
    }
}

extension ViewUpdate {
    /// `set a.b 1; splice list [0,0,[]]`.
    var words: String { changes.map { "\($0.operation.rawValue) \($0.pathText) \($0.value.text)" }.joined(separator: "; ") }
}

/// A host that answers from a function and keeps what it is told.
final class Witness: JSAPIHost {
    private let seen = Mutex<(calls: [JSAPICall], events: [ProgramEvent], updates: [ViewUpdate])>(([], [], []))
    private let answers: @Sendable (JSAPICall) -> JSAPIAnswer

    init(_ answers: @escaping @Sendable (JSAPICall) -> JSAPIAnswer = { _ in .success([]) }) { self.answers = answers }

    var calls: [JSAPICall] { seen.withLock { $0.calls } }
    var events: [ProgramEvent] { seen.withLock { $0.events } }
    var updates: [ViewUpdate] { seen.withLock { $0.updates } }
    var logs: [String] { events.compactMap { if case .console(_, let text) = $0 { text } else { nil } } }
    var errors: [ProgramError] { events.compactMap { if case .error(let error) = $0 { error } else { nil } } }
    var end: AppContainerError?? { events.compactMap { if case .ended(let error) = $0 { .some(error) } else { nil } }.last }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        seen.withLock { $0.calls.append(call) }
        reply(answers(call))
    }

    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) {
        seen.withLock { $0.updates.append(update) }
        painted()
    }

    func observe(_ event: ProgramEvent) { seen.withLock { $0.events.append(event) } }

    /// Waits until something is so; false after ten seconds.
    func wait(_ condition: (Witness) -> Bool) async -> Bool {
        for _ in 0..<2000 {
            if condition(self) { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return condition(self)
    }
}

/// A program in this process with one page, opened.
func started(_ page: String, _ host: Witness, _ configure: (inout MiniProgramSetup) -> Void = { _ in }) throws -> MiniProgram {
    let program = MiniProgram(setup(page, host, configure))
    program.launch()
    return program
}

func setup(_ page: String, _ host: Witness, _ configure: (inout MiniProgramSetup) -> Void = { _ in }) -> MiniProgramSetup {
    var setup = MiniProgramSetup(
        code: Play(page: page).code, identity: MiniProgramIdentity(appID: "app", userID: "user"), host: host,
        clock: { Date.now.timeIntervalSince1970 * 1000 }, seed: 7)
    configure(&setup)
    return setup
}

/// A folder that goes when its test does.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "container-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension HostScript.Answer {
    init(success members: KeyValuePairs<String, JSONValue>, delay: Double = 0) {
        self.init(.success(JSONObject(members.map { .init($0.key, $0.value) })), delay: delay)
    }
}

extension JSAPIAnswer {
    static func success(_ members: KeyValuePairs<String, JSONValue>) -> JSAPIAnswer {
        .success(JSONObject(members.map { .init($0.key, $0.value) }))
    }
}
