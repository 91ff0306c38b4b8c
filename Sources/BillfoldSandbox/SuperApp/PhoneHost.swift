import AppContainer
import BillfoldJSON
import Synchronization

/// The phone as the host of one mini program: hands on what happens in its order, since the program's own thread must not wait.
struct PhoneHost: JSAPIHost {
    enum Event: Sendable {
        case call(JSAPICall, @Sendable (JSAPIAnswer) -> Void)
        case update(ViewUpdate, painted: @Sendable () -> Void)
        case happened(ProgramEvent)
    }

    private let events: AsyncStream<Event>.Continuation
    private let lines: LineCount

    init(_ events: AsyncStream<Event>.Continuation, lines: LineCount = LineCount()) {
        self.events = events
        self.lines = lines
    }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) { events.yield(.call(call, reply)) }
    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { events.yield(.update(update, painted: painted)) }

    func observe(_ event: ProgramEvent) {
        // What a script writes has no limit of its own, and the phone shows twenty lines.
        if case .console = event, !lines.takes() { return }
        events.yield(.happened(event))
    }

    var systemInfo: JSONObject { Self.device }

    /// A phone in software, as wide as most.
    static let device: JSONObject = {
        var object = JSONObject([
            .init("model", "Software phone"), .init("brand", "Billfold"), .init("platform", "Linux"), .init("system", "1.0"),
            .init("version", "1.0.0"), .init("app", "wallet"), .init("language", "en"),
        ])
        let sizes = [
            ("pixelRatio", 2), ("windowWidth", 360), ("windowHeight", 596), ("screenWidth", 360), ("screenHeight", 640),
            ("statusBarHeight", 0), ("titleBarHeight", 44),
        ]
        for (name, value) in sizes { object[name] = .number(String(value)) }
        return object
    }()
}

/// How many lines of a script wait to be shown.
final class LineCount: Sendable {
    private static let most = 200
    private let waiting = Atomic(0)

    func takes() -> Bool {
        guard waiting.load(ordering: .relaxed) < Self.most else { return false }
        waiting.add(1, ordering: .relaxed)
        return true
    }

    func isShown() { waiting.subtract(1, ordering: .relaxed) }
}

/// What of a call and its answer may stand in a trace and on a page: words that name things, and no secret, order or code.
enum JSAPIWords {
    private static let shown: Set<String> = [
        "scopes", "scanType", "type", "sceneCode", "url", "title", "content", "key", "method", "delta", "hideAlbum", "authSuccessScopes",
        "authErrorScopes", "resultCode", "memo", "status", "error", "errorMessage", "confirm", "ok", "index",
    ]

    static func fields(_ object: JSONObject?) -> [(name: String, value: String)] {
        (object?.members ?? []).compactMap { member in
            guard case let text = member.value.string ?? member.value.text, text != "null" else { return nil }
            if member.key == "url" { return (member.key, String(text.prefix { $0 != "?" && $0 != "#" }.prefix(200))) }
            return (member.key, shown.contains(member.key) ? String(text.prefix(200)) : "‹\(text.utf8.count) bytes›")
        }
    }

    /// One line of an answer.
    static func line(_ answer: JSAPIAnswer) -> String {
        fields(answer.object).map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    }
}
