import Alipay
import ArgumentParser
import Foundation
import PaymentCrypto

/// `alipay certificate-sn`: computes the serial numbers of certificate mode.
struct AlipayCertificateSN: AlipayReplying {
    static let configuration = CommandConfiguration(
        commandName: "certificate-sn", abstract: "Compute app_cert_sn, alipay_cert_sn or alipay_root_cert_sn.",
        discussion: "Without --root, of the first certificate of the file; with it, of all RSA certificates of a root bundle.")

    @Argument(help: "A file of PEM certificates.") var file: String
    @Flag(help: "The file is a root bundle.") var root = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> AlipayReply {
        let pem = try CommandFile.text(file)
        var reply = AlipayReply("computed")
        reply.serials = [try root ? AlipayCertificateSerial(rootBundle: pem).description : AlipayCertificateSerial(pem: pem).description]
        return reply
    }
}
