/// One interface of the `my` object, as data: what it takes, what it answers, how it fails, and who may call it (mini-programs.md#jsapi).
public struct JSAPI: Sendable, Hashable {
    /// What an argument may be.
    public enum ArgumentType: String, Sendable, Hashable {
        case string
        case number
        /// A number, or a text that is one: real code writes `delay: "1000"` [O].
        case numeric
        case boolean
        case object
        case array
        /// A text, or an array of texts: real code writes `scopes` and `scanType` both ways [O]. It is handed on as an array.
        case texts
        /// Any JSON.
        case any
        /// Binary data, which scripts hand over as base64 text or an array of numbers.
        case bytes
    }

    /// One member of the object that a call is made with.
    public struct Argument: Sendable, Hashable {
        public var name: String
        public var type: ArgumentType
        public var isRequired: Bool
        /// Other frameworks' names of it, taken as this one.
        public var otherNames: [String]

        public init(_ name: String, _ type: ArgumentType, isRequired: Bool = false, otherNames: [String] = []) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.otherNames = otherNames
        }
    }

    /// Where a script that calls runs. HTML5 pages may call less (mini-programs.md#permissions).
    public enum Surface: String, Sendable, Hashable, CaseIterable {
        /// The logic layer of a mini program's own script.
        case script
        /// A page in a web view, and an HTML5 mini program.
        case webPage
    }

    /// What a mini program needs to call it. The names of features are ours [I].
    public enum Permission: Sendable, Hashable {
        /// Every mini program may.
        case baseline
        /// The platform must have enabled the feature for the mini program.
        case feature(String)

        /// The feature's name; nil for what everyone may call.
        public var feature: String? {
            if case .feature(let name) = self { name } else { nil }
        }
    }

    /// Whose work a call is.
    public enum Handler: String, Sendable, Hashable {
        /// The container's own: navigation, timers, selectors, storage.
        case container
        /// The host draws or has it: dialogs, pictures, the clipboard, the device.
        case host
        /// A Wallet service of the super app.
        case wallet
        /// A request to a server, over the mini program's domain list.
        case network
    }

    public var name: String
    public var arguments: [Argument]
    /// The members of a success, for documentation and lint.
    public var answers: [String]
    /// The codes from 10 up that it alone has, with what they mean.
    public var errors: [Int: String]
    public var permission: Permission
    public var surfaces: Set<Surface>
    public var handler: Handler
    /// Whether it answers by its return value and not by callbacks.
    public var isSynchronous: Bool
    /// The argument that a bare text is taken for: `my.alert('text')` [O].
    public var bareArgument: String?

    public init(
        _ name: String, needs: KeyValuePairs<String, ArgumentType> = [:], takes: KeyValuePairs<String, ArgumentType> = [:],
        also: [String: [String]] = [:], answers: [String] = [], errors: [Int: String] = [:], permission: Permission = .baseline,
        surfaces: Set<Surface> = [.script, .webPage], handler: Handler = .host, isSynchronous: Bool = false, bareArgument: String? = nil
    ) {
        self.name = name
        arguments =
            needs.map { Argument($0.key, $0.value, isRequired: true, otherNames: also[$0.key] ?? []) }
            + takes.map { Argument($0.key, $0.value, otherNames: also[$0.key] ?? []) }
        self.answers = answers
        self.errors = errors
        self.permission = permission
        self.surfaces = surfaces
        self.handler = handler
        self.isSynchronous = isSynchronous
        self.bareArgument = bareArgument
    }

    /// The interface that answers by its return value: `getStorage` becomes `getStorageSync`.
    var synchronousTwin: JSAPI {
        var twin = self
        twin.name += "Sync"
        twin.isSynchronous = true
        return twin
    }
}
