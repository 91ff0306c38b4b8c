import ApplePay
import ApplePayDiagnosis
import BillfoldDiagnosis
import SwiftASN1
import UnionPay
import UnionPayDiagnosis
import X509

extension CardPaymentsCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] {
        [
            ApplePayDiagnostician(
                at: aids.instant, hashPairs: OpenSSLHashPairs(),
                archives: aids.unionPay.pkcs12.map { MerchantArchives(opener: $0, passwords: aids.unionPay.passwords) }),
            UnionPayDiagnostician(keys: aids.unionPay, instant: aids.instant),
            WebhookDiagnostician(instant: aids.instant),
        ]
    }
}

/// Lends the opener of UnionPay's PKCS#12 files to the wallet's diagnostician.
private struct MerchantArchives: MerchantKeyArchives {
    let opener: any PKCS12Opener
    let passwords: [Secret<String>]

    func open(_ bytes: [UInt8]) -> MerchantKeyArchive? {
        let budget = DiagnosisBudget.current
        for password in passwords where !budget.isOver {
            let allowed = budget.roundsLeft
            var left = allowed
            let opening = opener.open(bytes, password: password, rounds: &left)
            budget.spend(rounds: allowed - left)
            guard case .opened(let key, let certificate) = opening else { continue }
            guard let pem = try? key.serializeAsPEM(), let certificatePEM = try? certificate.serializeAsPEM() else { return nil }
            return MerchantKeyArchive(privateKey: Secret(pem.derBytes), certificates: [certificatePEM.derBytes])
        }
        return nil
    }
}
