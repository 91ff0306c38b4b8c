public import Foundation

/// A phone in software: which wallets it has, what was opened, and the sheet on its screen.
@MainActor
public final class SimulatedSheetSurroundings: SheetSurroundings {
    /// One opened URL.
    public struct Opening: Sendable, Hashable {
        public var url: URL
        /// Whether only an app was asked for.
        public var onlyInApp: Bool
    }

    public var now: Int64
    /// The schemes that some app on this phone takes.
    public var installedSchemes: Set<String>
    /// The hosts whose universal links some app on this phone takes.
    public var installedHosts: Set<String>
    /// Whether the app is left when a URL is opened; false is the link that opens nothing.
    public var leaves = true
    /// Whether there is a browser for pages.
    public var hasBrowser = true
    /// Called when something was opened.
    public var onOpen: (@MainActor (Opening) -> Void)?
    /// Called when a sheet comes up and, with nil, when it goes.
    public var onSheet: (@MainActor (SheetRequest?) -> Void)?
    public private(set) var departures = 0
    public private(set) var openings: [Opening] = []
    /// What was asked for and nothing took. On a real phone a scheme among them is an error dialog.
    public private(set) var refusals: [Opening] = []
    /// The sheet on the screen.
    public private(set) var sheet: SheetRequest?
    private var hear: (@MainActor (SheetNews) -> Void)?

    public init(now: Int64, installedSchemes: Set<String> = [], installedHosts: Set<String> = []) {
        self.now = now
        self.installedSchemes = installedSchemes
        self.installedHosts = installedHosts
    }

    public func canOpen(_ url: URL) -> Bool {
        let scheme = url.scheme?.lowercased() ?? ""
        return isWeb(scheme) ? hasBrowser : installedSchemes.contains(scheme)
    }

    public func open(_ url: URL, onlyInApp: Bool) async -> Bool {
        let isApp = isWeb(url.scheme?.lowercased() ?? "") ? installedHosts.contains(url.host?.lowercased() ?? "") : canOpen(url)
        let opening = Opening(url: url, onlyInApp: onlyInApp)
        guard isApp || (!onlyInApp && canOpen(url)) else {
            refusals.append(opening)
            return false
        }
        openings.append(opening)
        if leaves { leave() }
        onOpen?(opening)
        return true
    }

    /// The app leaves the front, for whatever reason.
    public func leave() { departures += 1 }

    private func isWeb(_ scheme: String) -> Bool { scheme == "https" || scheme == "http" }

    public func showSheet(_ request: SheetRequest, hear: @escaping @MainActor (SheetNews) -> Void) {
        sheet = request
        self.hear = hear
        onSheet?(request)
    }

    public func closeSheet() {
        guard sheet != nil else { return }
        sheet = nil
        onSheet?(nil)
    }

    /// Lets the sheet's page, or the screen around it, say something. A page that is gone may still be heard.
    public func say(_ news: SheetNews) { hear?(news) }
}
