import AlipayPlusValues
import Foundation

/// Opens the chosen wallet: by its universal link, else by its scheme where it is installed, else by its page.
///
/// An opened link is believed when the app is left. A trap that was observed is the link that opens nothing: after a moment the next one
/// is tried [O].
@MainActor
struct WalletOpening {
    /// How long the app may stay in front behind a link that was opened [O].
    static let patience = Duration.milliseconds(1_200)

    let surroundings: any SheetSurroundings
    let environment: AlipayPlusEnvironment
    let wait: Waiting
    let note: @MainActor (IAPLogName, PaymentSheetOutcome.Way) -> Void

    /// Nil when no link of the wallet leads anywhere.
    func open(_ links: WalletLinks) async -> PaymentSheetOutcome.Way? {
        for (way, link) in candidates(links) {
            guard let link, let url = URL(string: link), isUsable(url, way) else {
                if link != nil { note(.linkSkipped, way) }
                continue
            }
            let before = surroundings.departures
            guard await surroundings.open(url, onlyInApp: way == .applink) else {
                note(.linkSkipped, way)
                continue
            }
            // A page may be shown in a browser inside the app.
            if way == .page { return way }
            if surroundings.departures == before { try? await wait(Self.patience) }
            if surroundings.departures > before { return way }
            note(.appNotLeft, way)
        }
        return nil
    }

    /// A universal link is a page too, for a wallet that has no other.
    private func candidates(_ links: WalletLinks) -> [(PaymentSheetOutcome.Way, String?)] {
        [(.applink, links.applinkURL), (.scheme, links.schemeURL), (.page, links.normalURL ?? links.applinkURL)]
    }

    private func isUsable(_ url: URL, _ way: PaymentSheetOutcome.Way) -> Bool {
        switch way {
        case .applink, .page: OpenableAddress.isPage(url, in: environment)
        case .scheme: OpenableAddress.isCustomScheme(url) && surroundings.canOpen(url)
        }
    }
}
