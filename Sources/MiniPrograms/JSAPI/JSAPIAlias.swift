public import BillfoldJSON

/// Another framework's name of an interface, with its names of arguments (mini-programs.md#other-names [O]).
public struct JSAPIAlias: Sendable, Hashable {
    public var name: String
    /// The interface that is meant.
    public var interface: String
    /// Arguments by the other framework's name. Those that the interface itself takes under two names are in ``JSAPI/Argument/otherNames``.
    public var arguments: [String: String]
    /// Arguments that the other name implies.
    public var implied: [String: String]

    public init(_ name: String, _ interface: String, arguments: [String: String] = [:], implied: [String: String] = [:]) {
        self.name = name
        self.interface = interface
        self.arguments = arguments
        self.implied = implied
    }

    /// Renames the arguments in their places, and adds the implied ones that are missing.
    public func rename(_ object: inout JSONObject) {
        for (other, own) in arguments.sorted(by: { $0.key < $1.key }) where object[own] == nil {
            guard let value = object[other] else { continue }
            object[other] = nil
            object[own] = value
        }
        for (own, value) in implied.sorted(by: { $0.key < $1.key }) where object[own] == nil { object[own] = .string(value) }
    }

    public static let standard: [JSAPIAlias] = [
        JSAPIAlias("httpRequest", "request"),
        JSAPIAlias("showModal", "confirm", arguments: ["confirmText": "confirmButtonText", "cancelText": "cancelButtonText"]),
        JSAPIAlias("login", "getAuthCode", implied: ["scopes": "auth_base"]),
        JSAPIAlias("scanCode", "scan"),
        JSAPIAlias("getClipboardData", "getClipboard"),
        JSAPIAlias("setClipboardData", "setClipboard", arguments: ["data": "text"]),
    ]

    /// Members of answers that other frameworks name otherwise: a script that reads one gets `undefined`.
    public static let answerNames: [String: String] = [
        "tempFilePath": "apFilePath", "tempFilePaths": "apFilePaths", "statusCode": "status", "header": "headers",
    ]
}
