public import Foundation

/// Something that happened to a payment sheet. No event is a payment: ask the merchant's server.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPPaymentSheetEvent: NSObject, Sendable {
    /// One of the constants above.
    public let name: IAPPaymentSheetEventName
    /// Of an exception `code WORD: why` (``IAPError/description``), of a choice the wallet's name, otherwise nil.
    public let message: String?

    public init(name: IAPPaymentSheetEventName, message: String? = nil) {
        self.name = name
        self.message = message
    }

    public override var description: String { message.map { "\(name) (\($0))" } ?? name }
}
