import Alipay
import PaymentCrypto

extension FormerKey {
    /// What a refusal says in the place of a signature that does not fit.
    var reason: String { "the signature was made with a key that ended at \(ChinaTime.text(endedAt)), GMT+8: another is registered since" }
}

extension [FormerKey] {
    /// The one that made a signature which no registered key made; nil where none of these did either.
    ///
    /// - Parameter fits: Whether the message verifies with these keys.
    func maker(_ fits: (AlipayVerificationKeys) -> Bool) -> FormerKey? {
        last { former in
            guard let key = try? LegacyRSAPublicKey(subjectPublicKeyInfo: former.key) else { return false }
            return fits(AlipayVerificationKeys(rsa: key, rsa2: key))
        }
    }
}
