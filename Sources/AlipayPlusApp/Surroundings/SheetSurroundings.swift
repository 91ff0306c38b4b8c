public import Foundation

/// What the SDK needs of the phone. `UIKitSheetSurroundings` is the system's; ``SimulatedSheetSurroundings`` runs anywhere.
@MainActor
public protocol SheetSurroundings: AnyObject {
    /// Milliseconds since 1970.
    var now: Int64 { get }
    /// How often the app has left the front, counted from any number on.
    var departures: Int { get }

    /// Whether some app takes this URL. On iOS always false for a scheme that `LSApplicationQueriesSchemes` does not list.
    func canOpen(_ url: URL) -> Bool

    /// Hands a URL to the system; false when it would not be opened.
    /// - Parameters:
    ///   - url: A wallet's link.
    ///   - onlyInApp: Opens a universal link in its app or not at all.
    func open(_ url: URL, onlyInApp: Bool) async -> Bool

    /// Shows the sheet's page over everything, and says what it hears of it. One sheet at a time.
    func showSheet(_ request: SheetRequest, hear: @escaping @MainActor (SheetNews) -> Void)

    /// Takes the sheet away; nothing where none is.
    func closeSheet()
}

/// What is heard of a sheet.
public enum SheetNews: Sendable, Hashable {
    /// The page said something by the bridge. Only what its own main frame says counts: see ``SheetRequest/isOfSheet(_:)``.
    case message(String)
    /// The page did not load.
    case unreachable(String)
    /// The person took the page away by other means than the page's own.
    case closed
}
