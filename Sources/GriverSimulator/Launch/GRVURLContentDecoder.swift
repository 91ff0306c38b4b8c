import BillfoldConcurrency
public import Foundation
import MiniPrograms

/// Decodes promotion codes by its documented names (mini-programs.md#promotion-codes [D 2]): what a code's text leads to, for
/// ``GRVAppContainerLaunch`` to open. The encoding is the ``GriverContainer/decoders``' own.
public final class GRVURLContentDecoder: NSObject {
    /// Says by its form alone whether a text is such a code; false before a container is there.
    public class func canDecodeURLContent(_ urlContent: String) -> Bool { decoder(of: urlContent) != nil }

    /// Decodes a code. The block is called once, on the main thread; a text that is no code gives `NOT_A_PROMOTION_CODE`.
    ///
    /// - Parameters:
    ///   - urlContent: The code's text.
    ///   - completion: Takes what it leads to, which is nobody's word: what it opens holds it against its own lists.
    public class func decodeURLContent(_ urlContent: String, completion: @escaping (GRVURLContentDecodeResponse) -> Void) {
        let decoded =
            decoder(of: urlContent)?.decodeURLContent(urlContent)
            ?? DecodedURLContent(errorCode: "NOT_A_PROMOTION_CODE", errorMessage: "the address is no promotion code")
        let callback = HandedOver(completion)
        Task { @MainActor in callback.value(GRVURLContentDecodeResponse(decoded)) }
    }

    private class func decoder(of text: String) -> (any PromotionCodeDecoding)? {
        GRVAppContainerLaunch.sharedInstance().container?.decoders.first { $0.canDecodeURLContent(text) }
    }
}

/// Where a promotion code leads, or why nowhere.
public final class GRVURLContentDecodeResponse: NSObject, Sendable {
    public let success: Bool
    /// Of a mini program or a page; nil on a failure.
    public let decodedURL: String?
    /// A text, as the newer pages say; the older ones print a number.
    public let errorCode: String?
    public let errorMessage: String?

    init(_ decoded: DecodedURLContent) {
        success = decoded.success
        decodedURL = decoded.decodedURL
        errorCode = decoded.errorCode
        errorMessage = decoded.errorMessage
        super.init()
    }
}
