import BillfoldArchive
import BillfoldMoney
import Foundation
import UnionPay

private let trustsNobody = UnionPayVerifier(trust: UnionPayTrust(anchors: []))

/// The entry point that libFuzzer calls: what is posted as UnionPay's notification or answer, the certificate in it, and the
/// settlement file with its wrapping. The first byte chooses, so that a mutation stays with its format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzUnionPay(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let body = Array(bytes.dropFirst())
    switch kind % 7 {
    case 0:
        if let fields = try? FormBody.decode(body) {
            _ = try? FormBody.encode(fields)
            _ = try? trustsNobody.verified(fields, at: .distantPast)
        }
    case 1:
        if let fields = try? ReplyBody.decode(body) { _ = try? ReplyBody.encode(fields) }
    case 2: _ = try? ZipArchive(body)
    case 3:
        guard let records = try? DetailRecord.parse(body) else { break }
        for record in records {
            _ = try? record.amount(in: .cny)
            _ = try? record.fee(in: .cny)
            _ = try? record.settlementAmount(in: .cny)
        }
        // What can be written is read as what it was.
        if let written = try? DetailRecord.write(records) { precondition((try? DetailRecord.parse(written)) == records) }
    case 4: _ = try? UnionPayTrust(anchors: []).signer(pem: String(decoding: body, as: UTF8.self), at: .distantPast)
    case 5:
        guard let records = try? AdjustmentRecord.parse(body) else { break }
        if let written = try? AdjustmentRecord.write(records) { precondition((try? AdjustmentRecord.parse(written)) == records) }
    default: _ = try? ZlibStream.decompressed(body)
    }
    return 0
}
