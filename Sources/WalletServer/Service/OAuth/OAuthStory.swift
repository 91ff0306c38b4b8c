import BillfoldJSON
import BillfoldPayments
import PaymentCrypto

/// What ties together what the trace says of a code and of its tokens.
enum OAuthStory {
    /// One story from a code over its tokens to what they opened: entries share the beginnings of keyed hashes, which nobody can use.
    static func about(_ object: JSONObject?, _ context: WalletContext) -> [String: String] {
        var about: [String: String] = [:]
        for (member, purpose) in [
            ("authCode", OAuthCodeRecords.purpose), ("accessToken", OAuthTokenRecords.accessPurpose),
            ("refreshToken", OAuthTokenRecords.refreshPurpose),
        ] {
            guard let secret = object?[member]?.string else { continue }
            about["oauth.\(member)"] = name(context.hash(secret, purpose).bytes)
        }
        return about
    }

    static func name(_ hash: [UInt8]) -> String { Hexadecimal.encode(Array(hash.prefix(8))) }
}
