public import BillfoldJSON

/// How a call fails in a script's hands: `{error, errorMessage}` (mini-programs.md#calls [D]).
public struct JSAPIFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The codes of every interface. What one interface alone has begins at 10.
    public enum Generic: Int, Sendable, CaseIterable {
        case noSuchInterface = 1
        case invalidParameter = 2
        case unknown = 3
        case noPermission = 4
    }

    /// A generic code, or one of ``JSAPI/errors``.
    public var error: Int
    /// For the mini program's author; holds no value that a user typed.
    public var errorMessage: String

    public init(error: Int, errorMessage: String) {
        self.error = error
        self.errorMessage = errorMessage
    }

    public init(_ error: Generic, _ errorMessage: String) { self.init(error: error.rawValue, errorMessage: errorMessage) }

    /// Nothing of this name can be called here. The name is a stranger's, and is shown quoted.
    public static func noSuchInterface(_ name: String) -> Self {
        Self(.noSuchInterface, "\(MiniProgramError.quoted(name)) is no interface here")
    }

    /// Names the feature that the platform would have to enable (mini-programs.md#permissions).
    public static func noPermission(_ api: String, feature: String) -> Self {
        Self(.noPermission, "\(api) needs the feature \"\(feature)\", which is not enabled for this mini program")
    }

    /// What a failing callback is handed.
    public var object: JSONObject {
        JSONObject([.init("error", .number(String(error))), .init("errorMessage", .string(errorMessage))])
    }

    public var description: String { "\(error): \(errorMessage)" }
}
