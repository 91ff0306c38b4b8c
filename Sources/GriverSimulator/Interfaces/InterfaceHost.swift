import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms

/// Asks the app's own interfaces first, and hands everything else on; hears when the run is over.
struct InterfaceHost: JSAPIHost {
    let list: InterfaceList
    let place: ControllerPlace
    let host: any JSAPIHost
    /// Called on the program's own thread.
    let ended: @Sendable (AppContainerError?) -> Void

    var systemInfo: JSONObject { host.systemInfo }
    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { host.show(update, painted: painted) }

    func observe(_ event: ProgramEvent) {
        host.observe(event)
        if case .ended(let error) = event { ended(error) }
    }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        guard let handler = list.handlers[call.name] else { return host.answer(call, reply) }
        let place = place
        Task { @MainActor in
            let context = RVKContext(appID: call.identity.appID, page: call.page, place: place)
            handler.init().handler(PlainJSON.dictionary(call.arguments), context: context) { reply(PlainJSON.answer($0, of: call.name)) }
        }
    }
}

/// JSON as the dictionaries of an app's own interface have it.
enum PlainJSON {
    static func dictionary(_ object: JSONObject) -> [AnyHashable: Any] {
        Dictionary(object.members.map { (AnyHashable($0.key), value($0.value)) }, uniquingKeysWith: { $1 })
    }

    private static func value(_ value: JSONValue) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let bool): bool
        case .number(let text):
            if let integer = value.integer { Int(integer) } else { Double(text) ?? 0 }
        case .string(let text): text
        case .array(let values): values.map(Self.value)
        case .object(let object): dictionary(object)
        }
    }

    /// What a handler gave, for the script. No dictionary, and values that are no texts, numbers or booleans, are a failure: dropped
    /// members would look like an answer.
    static func answer(_ given: Any?, of name: String) -> JSAPIAnswer {
        let members: [AnyHashable: Any]
        switch given {
        case nil: members = [:]
        case let given as [AnyHashable: Any]: members = given
        default: return .failure(JSAPIFailure(.unknown, "\(name): the app answered with no dictionary"))
        }
        var object = JSONObject()
        for (key, any) in members.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            guard let key = key as? String, let value = primitive(any) else {
                return .failure(JSAPIFailure(.unknown, "\(name): the app answered with something else than texts, numbers and booleans"))
            }
            object[key] = value
        }
        guard let error = object["error"], let code = error.scalar.flatMap({ Int($0) }) else { return .success(object) }
        let reason = object["errorMessage"]?.string ?? name
        object["error"] = nil
        object["errorMessage"] = nil
        return .failure(JSAPIFailure(error: code, errorMessage: reason), object)
    }

    private static func primitive(_ any: Any) -> JSONValue? {
        switch any {
        case let text as String: .string(text)
        // What Foundation holds, as in an `NSDictionary`: there 0 and 1 pass for booleans, and a boolean for a number.
        case let number as NSNumber where type(of: any) is NSNumber.Type:
            String(cString: number.objCType) == "c" ? .bool(number.boolValue) : numeral(number)
        case let bool as Bool: .bool(bool)
        case let number as Int: .number(String(number))
        case let number as Int64: .number(String(number))
        case let number as Double where number.isFinite: .number(String(number))
        case let number as NSNumber: numeral(number)
        default: nil
        }
    }

    private static func numeral(_ number: NSNumber) -> JSONValue? {
        Double(truncating: number).isFinite ? .number(number.stringValue) : nil
    }
}
