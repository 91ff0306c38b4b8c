import Foundation

/// What the documented calls refuse with (mini-programs.md#opening-a-program [D 3]). Older pages print the meanings of 90002 and 90003 the
/// other way round: these are the newer pages', which Android's names of the codes confirm.
public enum GriverErrorCode: Int, Sendable, CaseIterable {
    /// A parameter is missing, has another type, or is no id or address.
    case badParameter = 90002
    /// No ``GriverContainer`` was handed in.
    case notInitialised = 90003
    /// Anything else; the description says what.
    case unknown = 10000
    /// A list was asked for with a bad parameter.
    case badQuery = 2
    /// The list could not be made.
    case listFailed = 3
    /// The platform gave no answer to a question for a list.
    case network = 10104

    /// No page prints the domain. [I]
    public static let domain = "GRVAppContainer"

    func error(_ reason: String) -> NSError {
        NSError(domain: Self.domain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
