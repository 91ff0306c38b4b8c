import BillfoldConcurrency
public import Foundation

/// What the super app sets up (mini-programs.md#own-interfaces [D 1]): the list of its own interfaces.
///
/// The list is a property list: `JsApiRuntime`, in it `JsApis`, an array whose entries name a class (`name`) and the interface that it
/// answers (`jsApi`). A class in Swift is named with its module, `SuperApp.LoyaltyHandler`.
public final class GRVConfiguration: NSObject, Sendable {
    private let path = Locked<String?>(nil)

    /// Where the list is; nil for none. Read when a mini program is launched.
    public var plistFilePathForExtraPlugins: String? {
        get { path.withLock { $0 } }
        set { path.withLock { $0 = newValue } }
    }

    public override init() { super.init() }
}

/// The classes that answer interfaces of the app's own, by the interfaces' names.
struct InterfaceList: Sendable {
    private(set) var handlers: [String: RVKJsApiHandler.Type] = [:]
    static let most = 200

    /// None.
    init() {}

    /// Reads the list. Throws a text that says what is wrong: a list that is half taken would answer for the wrong class.
    init(path: String) throws(Unusable) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 1_048_576,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { throw Unusable("the list of interfaces is no property list") }
        guard let runtime = list["JsApiRuntime"] as? [String: Any], let entries = runtime["JsApis"] as? [[String: Any]],
            entries.count <= Self.most
        else { throw Unusable("JsApiRuntime has no JsApis, or more than \(Self.most)") }
        var classes: Set<String> = []
        for entry in entries {
            guard let name = entry["name"] as? String, let interface = entry["jsApi"] as? String, !interface.isEmpty else {
                throw Unusable("an entry of JsApis lacks name or jsApi")
            }
            guard let handler = NSClassFromString(name) as? RVKJsApiHandler.Type else {
                throw Unusable("\(name) is no class of this app that derives from RVKJsApiHandler")
            }
            // One class for one interface, and the other way round [D 1].
            guard classes.insert(name).inserted, handlers.updateValue(handler, forKey: interface) == nil else {
                throw Unusable("\(name) or \(interface) is listed twice")
            }
        }
    }

    /// What is wrong with a list.
    struct Unusable: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }
}
