import BillfoldDiagnosis
import Foundation
import Testing
import UnionPayDiagnosis

struct UnionPayDiagnosisExample {
    // Example
    /// Why UnionPay refuses a request: the body as it was posted, and the merchant's certificate in PEM.
    func causes(of body: String, certificate: String, at now: Date) -> [String] {
        let artifacts = [
            Artifact(name: "request.txt", bytes: Array(body.utf8)), Artifact(name: "merchant.pem", bytes: Array(certificate.utf8)),
        ]
        return UnionPayDiagnostician(instant: now).examine(artifacts).findings.map { "\($0.code): \($0.mend)" }
    }
    // End

    @Test func example() throws {
        let gateway = try UnionPayGateway()
        let (body, certificate) = (try gateway.postedConsume(), try gateway.merchantFile())
        #expect(causes(of: body, certificate: certificate, at: UnionPayGateway.now).isEmpty)
        let late = causes(of: body + "&reqReserved=tea", certificate: certificate, at: UnionPayGateway.now)
        #expect(late.count == 1 && late.allSatisfy { $0.hasPrefix("unionpay.field-added-after-signing: Sign last") }, "\(late)")
    }
}
