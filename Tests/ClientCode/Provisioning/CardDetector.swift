import Foundation
import PassKit

/// Finds out by the last digits alone whether a card is in Wallet: the bank's app knows no identifier before the first token.
enum CardDetector {
    enum Result: Equatable {
        case disabled
        case enabled(identifier: String?)
    }

    static var banks: [String] {
        let library = PKPassLibrary()
        var names = library.passes(of: .payment).map({ $0.organizationName })
        if #available(iOS 13.4, *) {
            names.append(contentsOf: library.remoteSecureElementPasses.map({ $0.organizationName }))
        } else {
            names.append(contentsOf: library.remotePaymentPasses().map({ $0.organizationName }))
        }
        return Array(Set(names)).sorted()
    }

    static func detect(suffix: String, bank: String? = nil) -> Result {
        guard PKPassLibrary.isPassLibraryAvailable() else { return .disabled }
        let library = PKPassLibrary()
        let local = pass(in: library.passes(of: .payment), suffix: suffix, bank: bank)
        let remote = pass(in: library.remotePaymentPasses(), suffix: suffix, bank: bank)
        guard let identifier = (local ?? remote)?.primaryAccountIdentifier, !identifier.isEmpty else {
            return .enabled(identifier: nil)
        }
        return library.canAddPaymentPass(withPrimaryAccountIdentifier: identifier) ? .enabled(identifier: identifier) : .disabled
    }

    private static func pass(in passes: [PKPass], suffix: String, bank: String?) -> PKPaymentPass? {
        for pass in passes {
            guard let payment = pass.paymentPass, payment.primaryAccountNumberSuffix == suffix else { continue }
            if let bank = bank, payment.organizationName != bank { continue }
            return payment
        }
        return nil
    }
}
