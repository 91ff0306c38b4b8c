public import BillfoldDiagnosis

/// `emv` if and only if `chinaUnionPay` (apple-pay.md#capabilities).
///
/// Without it the sheet never calls back for a UnionPay card; with it a processor that expects 3-D Secure refuses the
/// token type. [O 7]
public struct EMVCapabilityRule: RequestRule {
    public static let codes = ["apple-pay.request.emv-missing", "apple-pay.request.emv-unexpected"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let unionPay = request.supportedNetworks.contains(.chinaUnionPay)
        let emv = request.merchantCapabilities.contains(.emv)
        let evidence: [Finding.Evidence] = [
            .init("supportedNetworks", request.supportedNetworks.map(\.rawValue).joined(separator: ",")),
            .init("merchantCapabilities", request.merchantCapabilities.map(\.rawValue).sorted().joined(separator: ",")),
        ]
        return switch (unionPay, emv) {
        case (true, false):
            [
                Finding(
                    code: Self.codes[0], subject: subject,
                    cause: "chinaUnionPay is offered without the emv capability: the sheet never returns for UnionPay cards.",
                    evidence: evidence, mend: "Add emv to merchantCapabilities, or drop chinaUnionPay.")
            ]
        case (false, true):
            [
                Finding(
                    code: Self.codes[1], subject: subject,
                    cause: "emv is offered without chinaUnionPay: processors that expect 3-D Secure refuse EMV tokens.",
                    evidence: evidence, mend: "Drop emv from merchantCapabilities unless chinaUnionPay is among the networks.")
            ]
        default: []
        }
    }
}
