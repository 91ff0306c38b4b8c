import ApplePayApp
import BillfoldDiagnosis
import Foundation

/// The attempt to pay that is under way, in a file. Written before the payment leaves the phone and removed once its outcome is certain:
/// whoever finds it at the start of the app asks the server what became of it.
actor KeptAttempt: CheckoutMemory {
    private let file: URL

    init(in folder: URL) { file = folder.appendingPathComponent("payment-attempt") }

    func load() async -> PaymentAttempt? {
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        return PaymentAttempt(protectedForm: Secret(bytes))
    }

    /// A phone without room for these few bytes pays all the same; it cannot ask after a kill then.
    func save(_ attempt: PaymentAttempt?) async {
        let files = FileManager.default
        guard let attempt else {
            try? files.removeItem(at: file)
            return
        }
        try? files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // It holds the order's client secret: encrypted until the phone is unlocked for the first time.
        try? attempt.protectedForm().reveal().write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
    }
}
