public import BillfoldJSON
public import MiniPrograms

/// What a call of `my.*` ends with.
public enum JSAPIAnswer: Sendable {
    /// Handed to `success` and `complete`, and what the promise resolves to.
    case success(JSONObject)
    /// Handed to `fail` and `complete`, and what the promise rejects with: `error`, `errorMessage`, and what the interface adds.
    case failure(JSAPIFailure, JSONObject = [])

    public var isSuccess: Bool {
        if case .success = self { true } else { false }
    }

    /// The one object that the callbacks are handed.
    public var object: JSONObject {
        switch self {
        case .success(let object): return object
        case .failure(let failure, let extra):
            var object = failure.object
            for member in extra.members where object[member.key] == nil { object[member.key] = member.value }
            return object
        }
    }
}

/// Which mini program runs, for whom. It comes from the platform and the host, never from the script.
public struct MiniProgramIdentity: Sendable, Hashable {
    /// The platform's id.
    public var appID: String
    public var name: String
    /// The address of its picture.
    public var logo: String
    /// `1.0.1.<time stamp>`; empty where it runs from a folder.
    public var version: String
    /// The OAuth client of the merchant, which is not ``appID`` (mini-programs.md#client-id); nil where the author has not set it.
    public var authClientID: String?
    /// Whether it was published from an Alipay Connect workspace.
    public var isFromAlipayConnect: Bool
    /// Stands for the user in partitions; nothing that names a person has to be in it.
    public var userID: String

    public init(
        appID: String, name: String = "", logo: String = "", version: String = "", authClientID: String? = nil,
        isFromAlipayConnect: Bool = false, userID: String
    ) {
        self.appID = appID
        self.name = name
        self.logo = logo
        self.version = version
        self.authClientID = authClientID
        self.isFromAlipayConnect = isFromAlipayConnect
        self.userID = userID
    }

    /// Whose storage, cookies and files a call may touch: one partition for each pair of user and mini program
    /// (mini-programs.md#isolation).
    public var partition: Partition { Partition(user: userID, app: appID) }

    /// A pair of user and mini program.
    public struct Partition: Sendable, Hashable {
        public var user: String
        public var app: String

        public init(user: String, app: String) {
            self.user = user
            self.app = app
        }
    }
}

/// A call that passed the container's checks: the interface exists, the mini program may call it, the arguments have their types, the
/// domain is listed.
public struct JSAPICall: Sendable {
    public var name: String
    /// Under the interface's own names.
    public var arguments: JSONObject
    public var identity: MiniProgramIdentity
    /// The page on top when the call came, without its query; empty before there is one.
    public var page: String
    /// Counts how often a person came to a page; coming back from a service's page or from the background does not count.
    public var showCycle: Int
    /// Whether a person's tap is at most five seconds old.
    public var followsTap: Bool
    /// Whether the container was opened by a link or code from outside and nobody has tapped since.
    public var comesFromLink: Bool
    public var surface: JSAPI.Surface
}

/// What the logic wants shown: one message for each page and turn (mini-programs.md#view-updates).
public struct ViewUpdate: Sendable {
    /// One change, in the order in which they were made.
    public struct Change: Sendable {
        /// What a change does to the data it names.
        public enum Operation: String, Sendable {
            /// The page's whole data; the first change of a page.
            case page
            /// A component's whole data.
            case component
            /// A value at a path.
            case set
            /// `[start, count, [items]]` of the list at a path.
            case splice
        }

        /// 0 for the page itself.
        public var node: Int
        public var operation: Operation
        /// Member names and indexes.
        public var path: [JSONValue]
        public var value: JSONValue
    }

    public var page: Int
    public var route: String
    /// Numbers the messages of a run.
    public var batch: Int
    public var changes: [Change]
    /// Of its JSON text.
    public var bytes: Int
}

/// An error of a program, at the place in the file that the author wrote.
public struct ProgramError: Sendable, CustomStringConvertible {
    /// `script-error`, `turn-time-exceeded`, and the codes of ``AppContainerError``.
    public var code: String
    /// Which function failed, such as `Page pages/index/index onLoad`.
    public var place: String
    public var message: String
    public var file: String?
    public var line: Int?
    public var column: Int?
    /// The innermost first.
    public var stack: [String]

    public var description: String {
        let at = file.map { " at \($0)\(line.map { ":\($0)" } ?? "")\(column.map { ":\($0)" } ?? "")" } ?? ""
        return "\(code): \(place): \(message)\(at)"
    }
}

/// What happens in a run besides calls and updates.
public enum ProgramEvent: Sendable {
    /// Every call, as the script named it, with the refusal where there was one.
    case called(name: String, arguments: JSONValue)
    case answered(name: String, JSAPIAnswer)
    case opened(page: Int, route: String)
    case closed(page: Int, route: String)
    /// The page is on top now: it was opened, or came back.
    case shown(page: Int, route: String)
    case console(level: String, text: String)
    /// For the author: an update that is too large, a name that is spelt wrongly.
    case warning(String)
    case error(ProgramError)
    /// The run is over; nothing comes after it. Nil where the host ended it.
    case ended(AppContainerError?)
}

/// What a super app gives a mini program: answers to calls, a view, and an ear. Called on the program's own thread, which waits.
public protocol JSAPIHost: Sendable {
    /// Answers a call, at once or later, on any thread. A second answer is ignored.
    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void)
    /// What `getSystemInfoSync` gives (mini-programs.md#dialogs-and-device).
    var systemInfo: JSONObject { get }
    /// Shows a page's new data, and says when it is painted: `onReady` and `setData`'s callbacks wait for it.
    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void)
    /// Is told each thing that happens, in order. ``ProgramEvent/ended(_:)`` is the last.
    func observe(_ event: ProgramEvent)
}

extension JSAPIHost {
    public var systemInfo: JSONObject { DefaultDevice.info }
    /// Says at once that it is painted: a host without a screen.
    public func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { painted() }
    public func observe(_ event: ProgramEvent) {}
}

/// A description of a device that is none.
enum DefaultDevice {
    static let info: JSONObject = {
        var object = JSONObject(["model", "brand", "system", "version", "app", "language"].map { .init($0, .string("")) })
        object["platform"] = "Linux"
        for (name, value) in [("pixelRatio", 2), ("windowWidth", 375), ("windowHeight", 667), ("screenWidth", 375), ("screenHeight", 667)] {
            object[name] = .integer(value)
        }
        object["statusBarHeight"] = 20
        object["titleBarHeight"] = 44
        return object
    }()
}
