public import Foundation
import MiniPrograms

/// How a mini program is shown when it starts (mini-programs.md#startup-parameters [D 3]). The call that takes it reads it once.
public final class GRVStartupParams: NSObject {
    /// Pairs for `App.onLaunch` and `App.onShow`, as a query: `a=b&c=d`, percent-encoded.
    public var query: String?
    public var showTitleBar = true
    public var showLoading = true
    public var showTitleLoading = false
    /// ARGB, as the two below; 0 leaves it to the app.
    public var titleColor = 0
    public var titleBarColor = 0
    public var backButtonColor = 0
    /// `landscape`, `portrait` or `auto`; upright where it is nil.
    public var screenOrientation: String?
    /// `auto` for the middle; at the left where it is nil.
    public var titleAlignment: String?

    public override init() { super.init() }
}

/// What the startup parameters of a launch say, once they were checked.
public struct ProgramStartup: Sendable, Hashable {
    /// How a mini program is held when it starts.
    public enum Orientation: String, Sendable, Hashable {
        case portrait
        case landscape
        /// As the device is held.
        case auto
    }

    public var query: [String: String] = [:]
    public var showsTitleBar = true
    public var showsLoading = true
    public var showsTitleLoading = false
    /// ARGB, as the two below; nil leaves it to the app.
    public var titleColor: Int?
    public var titleBarColor: Int?
    public var backButtonColor: Int?
    public var orientation = Orientation.portrait
    public var isTitleCentred = false

    /// A launch without parameters.
    public init() {}

    /// Throws 90002 for a value that is none.
    init(_ params: GRVStartupParams?) throws {
        guard let params else { return }
        query = try Self.pairs(params.query)
        (showsTitleBar, showsLoading, showsTitleLoading) = (params.showTitleBar, params.showLoading, params.showTitleLoading)
        titleColor = params.titleColor == 0 ? nil : params.titleColor
        titleBarColor = params.titleBarColor == 0 ? nil : params.titleBarColor
        backButtonColor = params.backButtonColor == 0 ? nil : params.backButtonColor
        orientation = try Self.orientation(params.screenOrientation)
        isTitleCentred = try Self.isCentred(params.titleAlignment)
    }

    /// The older form, a dictionary. Keys that nobody knows are passed over; throws 90002 for a value of another type.
    init(_ extraParams: [String: Any]?) throws {
        let given = extraParams ?? [:]
        func value<Value>(_ key: String, as type: Value.Type) throws -> Value? {
            guard let any = given[key] else { return nil }
            guard let value = any as? Value else { throw GriverErrorCode.badParameter.error("\(key) has another type") }
            return value
        }
        query = try Self.pairs(value("query", as: String.self))
        showsTitleBar = try value("showTitleBar", as: Bool.self) ?? true
        showsLoading = try value("showLoading", as: Bool.self) ?? true
        showsTitleLoading = try value("showTitleLoading", as: Bool.self) ?? false
        titleColor = try value("titleColor", as: Int.self)
        titleBarColor = try value("titleBarColor", as: Int.self)
        backButtonColor = try value("backButtonColor", as: Int.self)
        orientation = try Self.orientation(value("screenOrientation", as: String.self))
        isTitleCentred = try Self.isCentred(value("titleAlignment", as: String.self))
    }

    private static func pairs(_ text: String?) throws -> [String: String] {
        guard let items = try? MiniProgramLink.items(of: text ?? "") else { throw GriverErrorCode.badParameter.error("query is no query") }
        return Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func orientation(_ text: String?) throws -> Orientation {
        guard let text else { return .portrait }
        guard let orientation = Orientation(rawValue: text) else {
            throw GriverErrorCode.badParameter.error("screenOrientation is none of landscape, portrait and auto")
        }
        return orientation
    }

    private static func isCentred(_ text: String?) throws -> Bool {
        guard let text else { return false }
        guard text == "auto" else { throw GriverErrorCode.badParameter.error("titleAlignment is not auto") }
        return true
    }
}
