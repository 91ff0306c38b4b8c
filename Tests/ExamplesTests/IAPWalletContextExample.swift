import IAPWalletContext
import Testing

struct IAPWalletContextExample {
    // Example
    final class ScanService: IAPWalletCodeServiceSignature, @unchecked Sendable {  // Holds nothing.
        override func scan(
            with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
            callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
        ) {
            callback(IAPWalletScannerResult(code: "https://shop.example/1"))
        }
    }
    // End

    @Test func example() async {
        let services = WalletServices(code: ScanService())
        let result = await services.code.scan(with: IAPWalletScannerOption())
        #expect(result.code == "https://shop.example/1")
        #expect(result.failure == nil)
    }
}
