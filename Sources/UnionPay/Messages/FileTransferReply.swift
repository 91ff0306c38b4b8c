import Foundation

/// The reply to a file request: the file, or 98 while there is none yet.
public struct FileTransferReply: UnionPayMessage {
    public let code: ReplyCode
    public let message: ReplyText
    public let merchant: MerchantID?
    public let settlementDay: SettlementDay?
    /// `fileName`, for example `20261121_777290058167151.zip`.
    public let fileName: String?
    /// Decoded `fileContent`: a zip file inside a zlib stream. The caller unpacks both, with limits.
    public let fileContent: [UInt8]?
    public let fields: UnionPayFields

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        fields = verified.fields
        code = ReplyCode(rawValue: try fields.required("respCode"))
        message = ReplyText(fields.optional("respMsg") ?? "")
        merchant = try fields.optional("merId").map { text throws(UnionPayError) in try MerchantID(text) }
        settlementDay = try Settlement.day(fields)
        fileName = fields.optional("fileName")
        guard code == .accepted else {
            fileContent = nil
            return
        }
        guard let data = Data(base64Encoded: try fields.required("fileContent")) else {
            throw UnionPayError(code: .invalidField, reason: "fileContent is not base64")
        }
        fileContent = Array(data)
    }
}
