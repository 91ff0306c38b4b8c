import UIKit

/// Opens a wallet, or its page where it is not installed.
@MainActor
final class LinkOpener {
    private(set) var outcomes: [String] = []

    func openWallet(_ link: String, page: String) {
        guard let url = URL(string: link) else { return }
        if UIApplication.shared.canOpenURL(url) {
            UIApplication.shared.open(url, options: [:], completionHandler: { success in
                self.outcomes.append(success ? "wallet" : "failed")
            })
        } else if let url = URL(string: page) {
            UIApplication.shared.open(url, options: [:]) { self.outcomes.append($0 ? "page" : "failed") }
        }
    }

    func openWithoutAsking(_ link: String) {
        UIApplication.shared.open(URL(string: link)!)
    }

    func openUniversalLink(_ link: String) {
        UIApplication.shared.open(URL(string: link)!, options: [.universalLinksOnly: true]) { opened in
            self.outcomes.append(opened ? "app" : "no app")
        }
    }

    func openLater(_ link: String) async -> Bool {
        await UIApplication.shared.open(URL(string: link)!)
    }

    @available(iOS, deprecated: 10.0)
    func openTheOldWay(_ link: String) -> Bool {
        UIApplication.shared.openURL(URL(string: link)!)
    }
}
