import ACGriverCore
import UIKit

/// What the camera read at a shop's door: a promotion leads to a mini program, everything else is not for here.
class PromotionScanner: UIViewController {
    enum Outcome: Equatable {
        case opened
        case refused(String)
        case notForUs
    }

    private(set) var outcome: Outcome?
    var whenDone: (() -> Void)?

    func didScan(_ scanResult: String) {
        guard GRVURLContentDecoder.canDecodeURLContent(scanResult) else {
            outcome = .notForUs
            whenDone?()
            return
        }
        GRVURLContentDecoder.decodeURLContent(scanResult) { (response) in
            if response.success, let decodedURL = response.decodedURL {
                let page = GRVAppContainerLaunch.sharedInstance().openApp(withUrl: decodedURL, extraParams: ["query": "from=door"])
                if let page = page {
                    self.present(page, animated: true, completion: nil)
                    self.outcome = .opened
                } else {
                    self.outcome = .refused("cannot be opened")
                }
            } else {
                self.outcome = .refused(response.errorMessage ?? response.errorCode ?? "")
            }
            self.whenDone?()
        }
    }
}
