import IAPWalletContext
import UIKit

protocol ScannerViewControllerDelegate: AnyObject {
    func scanner(_ scanner: ScannerViewController, didRead text: String)
    func scannerDidFindNothing(_ scanner: ScannerViewController)
    func scannerDidCancel(_ scanner: ScannerViewController)
}

/// Stands for the super app's own scanner.
final class ScannerViewController: UIViewController {
    weak var scanDelegate: ScannerViewControllerDelegate?
    var isAlbumHidden = false

    func read(_ text: String) { scanDelegate?.scanner(self, didRead: text) }
    func findNothing() { scanDelegate?.scannerDidFindNothing(self) }
    func cancel() { scanDelegate?.scannerDidCancel(self) }
}

final class CodeService: IAPWalletCodeServiceSignature, ScannerViewControllerDelegate {
    private var callback: ((IAPWalletScannerResult) -> Void)?

    override func scan(
        with option: IAPWalletScannerOption,
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletScannerResult) -> Void
    ) {
        self.callback = callback
        let scanner = ScannerViewController(nibName: nil, bundle: nil)
        scanner.isAlbumHidden = option.hideAlbum
        scanner.title = option.type == .barCode ? "Bar code" : "QR code"
        scanner.scanDelegate = self
        UIApplication.shared.keyWindow?.rootViewController?.present(scanner, animated: true, completion: nil)
    }

    func scanner(_ scanner: ScannerViewController, didRead text: String) {
        let result = IAPWalletScannerResult()
        result.code = text
        finish(scanner, with: result)
    }

    func scannerDidFindNothing(_ scanner: ScannerViewController) {
        let result = IAPWalletScannerResult()
        result.error = NSError(domain: "CodeService", code: CodeService.ERROR_CODE_UNKNOWN_ERROR, userInfo: nil)
        finish(scanner, with: result)
    }

    func scannerDidCancel(_ scanner: ScannerViewController) {
        let result = IAPWalletScannerResult()
        result.error.code = "1001"
        finish(scanner, with: result)
    }

    private func finish(_ scanner: ScannerViewController, with result: IAPWalletScannerResult) {
        scanner.dismiss(animated: true, completion: nil)
        callback?(result)
        callback = nil
    }
}
