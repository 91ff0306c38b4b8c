public import BillfoldJSON

/// The interfaces of the `my` object, with the names of other frameworks, as one table: calls are read, refused, and `canIUse` answered
/// from it (mini-programs.md#jsapi).
public struct JSAPICatalogue: Sendable {
    /// The interfaces by name.
    public private(set) var interfaces: [String: JSAPI]
    public private(set) var aliases: [String: JSAPIAlias]
    public var components: ComponentCatalogue
    /// Names of the base library's abilities that are neither interface nor component.
    public var abilities: Set<String>

    public init(
        _ interfaces: [JSAPI], aliases: [JSAPIAlias] = [], components: ComponentCatalogue = ComponentCatalogue([]),
        abilities: Set<String> = []
    ) {
        self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.aliases = Dictionary(aliases.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.components = components
        self.abilities = abilities
    }

    /// Everything of mini-programs.md#jsapi, with the built-in components and `component2`.
    public static let standard = JSAPICatalogue(
        identity + network + storage + pages + dialogs + device + run, aliases: JSAPIAlias.standard, components: .standard,
        abilities: events.union(["component2", "call", "on"]))

    /// What a script listens to by `my.onX` and no longer by `my.offX`: the container's own, with no call behind them
    /// (mini-programs.md#dialogs-and-device).
    public static let events: Set<String> = [
        "onSocketOpen", "offSocketOpen", "onSocketMessage", "offSocketMessage", "onSocketError", "offSocketError", "onSocketClose",
        "offSocketClose", "onNetworkStatusChange", "offNetworkStatusChange", "onError", "offError", "onUnhandledRejection",
        "offUnhandledRejection",
    ]

    /// The base library's version, which component libraries compare: 1.24 and above is sensible (mini-programs.md#calls [O]).
    public static let baseLibraryVersion = "2.8.0"

    /// Adds a super app's own interface, reached by `my.call` and by its name. It takes the place of a built-in one of that name.
    public mutating func add(_ interface: JSAPI) { interfaces[interface.name] = interface }

    /// The interface of a name or of another framework's name for it.
    public subscript(name: String) -> JSAPI? { interfaces[name] ?? aliases[name].flatMap { interfaces[$0.interface] } }

    /// The features that its interfaces need, sorted: what a platform can enable for a mini program (mini-programs.md#features).
    public var features: [String] { Set(interfaces.values.compactMap(\.permission.feature)).sorted() }

    /// Finds the first name of a list that is no feature, and gives its place: neither one of ``features``, nor `custom.` before one of the
    /// super app's own interfaces.
    ///
    /// A misspelt feature would enable nothing, and nobody would be told.
    public func firstUnknownFeature(in names: [String], customInterfaces: [String] = []) -> Int? {
        let known = Set(features + customInterfaces.map { "custom." + $0 })
        return names.firstIndex { !known.contains($0) }
    }

    /// One call, read: the interface, its arguments under their own names, and what the author should be told.
    public struct Call: Sendable {
        public var interface: JSAPI
        public var arguments: JSONObject
        /// For the author's console, such as a name with the wrong letter case. Never a reason to refuse.
        public var hints: [String]
    }

    /// Reads a call as a script made it, callbacks left out.
    ///
    /// Sloppy calls of real code are taken: a bare text, a text for a list, a numeric text, other frameworks' names [O]. Arguments that
    /// nobody knows are handed on. Refused: 1 for an unknown name, 4 without the permission or on a surface that may not, 2 for a missing
    /// argument or a wrong type; in that order, so that a refusal tells a stranger least.
    public func read(
        _ name: String, _ arguments: JSONValue?, from surface: JSAPI.Surface, features: Set<String>
    ) throws(JSAPIFailure) -> Call {
        let alias = interfaces[name] == nil ? aliases[name] : nil
        guard let interface = self[name] else { throw .noSuchInterface(name) }
        guard interface.surfaces.contains(surface) else {
            throw JSAPIFailure(.noPermission, "\(interface.name) is not for \(surface == .webPage ? "web pages" : "scripts")")
        }
        if let feature = interface.permission.feature, !features.contains(feature) {
            throw .noPermission(interface.name, feature: feature)
        }
        var object = try Self.object(of: arguments, interface)
        var hints: [String] = []
        if let alias {
            hints.append("\(name) is another framework's name: call \(interface.name)")
            alias.rename(&object)
        }
        for argument in interface.arguments { try Self.read(argument, in: &object, of: interface.name, noting: &hints) }
        return Call(interface: interface, arguments: object, hints: hints)
    }

    private static func object(of arguments: JSONValue?, _ interface: JSAPI) throws(JSAPIFailure) -> JSONObject {
        switch arguments {
        case nil, .null?: return JSONObject()
        case .object(let object)?: return object
        case .string(let text)?:
            if let bare = interface.bareArgument { return JSONObject([.init(bare, .string(text))]) }
        default: break
        }
        throw JSAPIFailure(.invalidParameter, "\(interface.name) takes one object")
    }

    private static func read(
        _ argument: JSAPI.Argument, in object: inout JSONObject, of name: String, noting hints: inout [String]
    ) throws(JSAPIFailure) {
        if object[argument.name] == nil {
            if let other = argument.otherNames.first(where: { object[$0] != nil }) {
                object[argument.name] = object[other]
                object[other] = nil
            } else if let near = object.members.first(where: { $0.key.lowercased() == argument.name.lowercased() })?.key {
                hints.append("\(name): \(MiniProgramError.quoted(near)) is not \(argument.name); letter case counts")
            }
        }
        switch object[argument.name] {
        case nil, .null?:
            object[argument.name] = nil
            guard !argument.isRequired else { throw JSAPIFailure(.invalidParameter, "\(name): \(argument.name) is missing") }
        case let value?:
            guard let taken = argument.type.take(value) else {
                throw JSAPIFailure(.invalidParameter, "\(name): \(argument.name) is no \(argument.type.rawValue)")
            }
            object[argument.name] = taken
        }
    }
}

extension JSAPI.ArgumentType {
    /// The value in this type's own form; nil where it cannot be one.
    func take(_ value: JSONValue) -> JSONValue? {
        switch (self, value) {
        case (.any, _), (.string, .string), (.number, .number), (.numeric, .number), (.boolean, .bool), (.object, .object),
            (.array, .array), (.bytes, .string), (.bytes, .array):
            value
        case (.numeric, .string(let text)): Double(text).map { $0.isFinite } == true ? .number(text) : nil
        case (.texts, .string): .array([value])
        case (.texts, .array(let values)): values.allSatisfy { $0.string != nil } ? value : nil
        default: nil
        }
    }
}
