import Alipay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// A notification as it was frozen with the change that it tells of: every attempt sends the same content under the same `notify_id`
/// (alipay.md#reply-and-retries) [D]. Its signature is made when it is sent, and is the same each time.
struct FrozenNotification: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        var name: String
        var value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Whose key signs it.
    enum Signer: Sendable, Hashable {
        /// The gateway's key for all partners, or the partner's MD5 secret.
        case partner(String)
        /// The application's own gateway key, or the open platform's shared key for `RSA`.
        case application(String)
    }

    var url: String
    var charset: String
    var signType: String
    var signer: Signer
    /// Without `sign` and `sign_type`.
    var fields: [Field]
}

extension FrozenNotification {
    /// As the outbox keeps it: written and read once on every payment's path, and so by the protocol's own JSON,
    /// with names and values in turn.
    var stored: [UInt8] {
        let (kind, name) =
            switch signer {
            case .partner(let partner): ("partner", partner)
            case .application(let appID): ("application", appID)
            }
        var texts: [JSONValue] = []
        texts.reserveCapacity(2 * fields.count)
        for field in fields {
            texts.append(.string(field.name))
            texts.append(.string(field.value))
        }
        let whole = JSONValue.object([
            .init("charset", .string(charset)), .init("fields", .array(texts)), .init("signType", .string(signType)),
            .init("signer", .object([.init(kind, .texts(["_0": name]))])), .init("url", .string(url)),
        ])
        return JSONWriter.write(whole)
    }

    /// Refuses with `corrupt-record`.
    init(stored bytes: [UInt8]) throws(PaymentsError) {
        let corrupt = PaymentsError(code: .corruptRecord, reason: "a stored notification does not read back")
        guard let whole = try? AlipayJSON.read(bytes), let charset = whole["charset"]?.string, let list = whole["fields"]?.array,
            let signType = whole["signType"]?.string, let url = whole["url"]?.string, let holder = whole["signer"]?.members?.first,
            let name = holder.value["_0"]?.string
        else { throw corrupt }
        switch holder.key {
        case "partner": signer = .partner(name)
        case "application": signer = .application(name)
        default: throw corrupt
        }
        (self.charset, self.signType, self.url) = (charset, signType, url)
        guard list.count.isMultiple(of: 2) else { throw corrupt }
        fields = []
        fields.reserveCapacity(list.count / 2)
        for place in stride(from: 0, to: list.count, by: 2) {
            guard let name = list[place].string, let value = list[place + 1].string else { throw corrupt }
            fields.append(Field(name, value))
        }
    }
}

/// What was told to a merchant, and how that went.
struct NotificationRow: Sendable, Hashable {
    var id: TimeOrderedID
    var merchant: MerchantID
    var trade: TimeOrderedID
    var notifyID: String
    /// `trade_status`, `refund` or `batch`.
    var kind: String
    /// What it said: the trade's status, or the refund's outcome.
    var says: String
    var url: String
    var state: DeliveryRecords.State
    var createdAt: Timestamp
    var settledAt: Timestamp?
}
