import BillfoldConcurrency
public import BillfoldJSON
import MiniPrograms

/// A running mini program, wherever its script runs.
public protocol ProgramInstance: Sendable {
    /// As ``MiniProgram/launch(_:)``.
    func launch(_ options: LaunchOptions)
    /// As ``MiniProgram/reopen(_:)``.
    func reopen(_ options: LaunchOptions)
    /// As ``MiniProgram/back()``.
    func back()
    /// As ``MiniProgram/tapped()``.
    func tapped()
    /// Ends the run and gives back what it holds.
    func end()
    /// A page in a web view calls. `origin` is that of the main frame, as the web view gives it.
    func callFromWebPage(_ name: String, _ arguments: JSONValue, origin: String) async -> JSAPIAnswer
    /// Calls a method of the page on top, as its view does.
    func trigger(_ handler: String, _ values: [JSONValue], node: Int, isTap: Bool)
}

/// The native side of one web view: takes what its page sends, lets the running mini program judge and answer it, and hands out what goes
/// to the page (mini-programs.md#alipayjsbridge, mini-programs.md#web-view).
///
/// The page says what it wants, and the host says who it is: the origin is the one that the web view observed for this very message. A page
/// of a listed site may call what HTML5 pages may, in the name of the instance; no other page is answered anything but a refusal.
public final class WebBridge: Sendable {
    /// A text for a page of one origin. The page may have gone on to another site since it asked.
    public struct Delivery: Sendable {
        /// Of the page that it is for: a browser posts it to pages of this origin alone.
        public let origin: String
        private let text: String

        init(_ frame: JSONObject, to origin: String) {
            self.origin = origin
            text = JSONValue.object(frame).text
        }

        /// What `AlipayJSBridge.receive` is handed; nil for a page of another origin, which it is not meant for.
        ///
        /// - Parameter origin: That of the main frame now, as the web view gives it.
        public func text(forPageOf origin: String) -> String? { origin == self.origin ? text : nil }
    }

    private let program: any ProgramInstance
    private let messageHandler: String?
    /// The page that spoke last: nothing is told to one that has not spoken (mini-programs.md#web-view).
    private let listener = Locked<String?>(nil)

    static let frameLimit = 2_097_152

    /// - Parameters:
    ///   - program: Whose web view it is.
    ///   - messageHandler: The page's method that the `web-view` names as `onMessage`; nil where it names none.
    public init(program: any ProgramInstance, messageHandler: String? = nil) {
        self.program = program
        self.messageHandler = messageHandler
    }

    /// Takes one message of the page.
    ///
    /// - Parameters:
    ///   - text: As it came.
    ///   - origin: Of the frame that sent it, as the web view gives it and never as the page says.
    ///   - isMainFrame: Frames within a page may not call: what they show is another's.
    /// - Returns: The answer; nil where the text is no message of the bridge.
    public func receive(_ text: String, origin: String, isMainFrame: Bool = true) async -> Delivery? {
        guard text.utf8.count <= Self.frameLimit,
            let frame = try? JSONReader.readObject([UInt8](text.utf8), maximumBytes: Self.frameLimit, maximumDepth: 128),
            frame["v"]?.integer == 1, frame["kind"]?.string == "call", let number = frame["seq"]?.int, let name = frame["name"]?.string
        else { return nil }
        let answer: JSAPIAnswer
        if isMainFrame {
            answer = await program.callFromWebPage(name, frame["args"] ?? .null, origin: origin)
        } else {
            answer = .failure(JSAPIFailure(.noPermission, "a frame within a page may not call"))
        }
        if answer.isSuccess {
            listener.withLock { $0 = origin }
            if name == "postMessage", let messageHandler {
                let event = JSONObject([.init("type", "message"), .init("detail", frame["args"]?["data"] ?? .null)])
                program.trigger(messageHandler, [.object(event)], node: 0, isTap: false)
            }
        }
        let reply = JSONObject([
            .init("v", 1), .init("kind", "reply"), .init("cb", .integer(number)), .init("ok", .bool(answer.isSuccess)),
            .init("res", .object(answer.object)),
        ])
        return Delivery(reply, to: origin)
    }

    /// What `my.createWebViewContext(id).postMessage` sends to the page's `my.onMessage`; nil before a page has spoken.
    public func post(_ data: JSONValue) -> Delivery? { tell("message", data) }

    /// An event of the host's for the page's document, such as `back`, `resume` or `pause`; nil before a page has spoken.
    public func tell(_ event: String, _ data: JSONValue = .null) -> Delivery? {
        listener.withLock { $0 }.map { origin in
            Delivery(JSONObject([.init("v", 1), .init("kind", "event"), .init("name", .string(event)), .init("data", data)]), to: origin)
        }
    }

    /// The script to put into every page of the web view before its own, main frames only. `https://appx/web-view.min.js`, which pages ask
    /// for, can then be answered with nothing.
    ///
    /// - Parameters:
    ///   - handler: Under which name the web view takes messages: a script message handler, or an object with `postMessage`.
    ///   - hostOrigin: For a page in a frame of a browser: the origin of the page around it, which alone is spoken to and listened to.
    ///   - startupParams: What the page finds as `AlipayJSBridge.startupParams`.
    public static func script(handler: String = "miniProgram", hostOrigin: String? = nil, startupParams: JSONObject = []) -> String {
        let catalogue = JSAPICatalogue.standard
        let own = catalogue.interfaces.values.filter { $0.surfaces.contains(.webPage) && !$0.isSynchronous }.map(\.name)
        let other = catalogue.aliases.values.filter { own.contains($0.interface) }.map(\.name)
        let names = Set(own + other).subtracting(["getEnv", "postMessage"]).sorted()
        let settings = JSONObject([
            .init("handler", .string(handler)), .init("hostOrigin", hostOrigin.map(JSONValue.string) ?? .null),
            .init("version", .string(JSAPICatalogue.baseLibraryVersion)), .init("interfaces", .array(names.map(JSONValue.string))),
            .init("startupParams", .object(startupParams)),
        ])
        // No text in it may end the element that it is put into.
        let text = JSONValue.object(settings).text.replacing("<", with: "\\u003c")
        return String(decoding: PackageResources.bridge_js, as: UTF8.self) + "(globalThis, \(text));\n"
    }
}

extension MiniProgram: ProgramInstance {}
#if os(Linux) || os(macOS)
    extension WorkerProgram: ProgramInstance {}
#endif
