import BillfoldDiagnosis
import BillfoldMoney
import Crypto
import PaymentCrypto

/// Compares what was decrypted with the request, the order and what was charged.
struct PayloadDiagnosis {
    let file: CaseFile

    func examine(_ opened: [(name: String, token: PaymentToken, payload: PaymentPayload)], into diagnosis: inout Diagnosis) {
        for payload in file.payloads {
            diagnosis.identified.append(.init(artifact: payload.name, kind: "apple-pay.payload", summary: "\(payload.value)"))
            compare(payload.value, payload.name, into: &diagnosis)
        }
        for (name, _, payload) in opened { compare(payload, name, into: &diagnosis) }
        for token in file.tokens { compareApplicationData(token.value, token.name, into: &diagnosis) }
        for repaired in file.repaired { compareApplicationData(repaired.value.0.token, repaired.name, into: &diagnosis) }
    }

    private func compare(_ payload: PaymentPayload, _ name: String, into diagnosis: inout Diagnosis) {
        if case .emv = payload.paymentData {
            for request in file.requests
            where !request.value.merchantCapabilities.contains(.emv) || !request.value.supportedNetworks.contains(.chinaUnionPay) {
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.payload-type", subject: name,
                        cause: "The payload is EMV, and the request does not offer China UnionPay with the emv capability.",
                        evidence: [
                            .init("paymentDataType", payload.paymentData.type),
                            .init(
                                "merchantCapabilities", request.value.merchantCapabilities.map(\.rawValue).sorted().joined(separator: ",")),
                            .init("supportedNetworks", request.value.supportedNetworks.map(\.rawValue).joined(separator: ",")),
                        ],
                        mend: "Send EMV data only to a UnionPay acquirer; offer other processors 3-D Secure alone."))
            }
        }
        for hint in file.hints { compare(payload, name, hint, into: &diagnosis) }
    }

    private func compare(_ payload: PaymentPayload, _ name: String, _ hint: CaseFile.Named<MerchantHints>, into diagnosis: inout Diagnosis)
    {
        guard let text = hint.value.amount, let code = hint.value.currency, let currency = try? Currency(code),
            let order = try? Amount(text, currency: currency)
        else { return }
        if payload.currencyCode != currency.numericCode {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.currency-mismatch", subject: name, cause: "The sheet showed another currency than the order's.",
                    evidence: [
                        .init("token currencyCode", payload.currencyCode), .init("order currency", "\(currency) (\(currency.numericCode))"),
                    ],
                    mend: "Build the request from the order, and compare the numeric code with its leading zeros."))
        }
        let evidence: [Finding.Evidence] = [
            .init("order, minor units", order.minorUnitText), .init("token transactionAmount", String(payload.transactionAmount)),
            .init("txnAmt", hint.value.charged ?? "not given"),
        ]
        if let chargedText = hint.value.charged, let charged = Int64(chargedText), charged != order.minorUnits {
            if currency.isScale(between: charged, and: order.minorUnits) {
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.amount-units", subject: hint.name,
                        cause: "The charged amount is off by the factor between major and minor units.",
                        evidence: evidence, mend: "txnAmt is in minor units; convert once, at the edge, with the currency's digits."))
            } else if charged == payload.transactionAmount {
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.amount-charged-from-token", subject: hint.name,
                        cause: "The token's amount was charged instead of the order's.", evidence: evidence,
                        mend: "Charge the order's own amount; the token's is a cross-check only."))
                return
            }
        }
        if payload.transactionAmount != order.minorUnits {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.amount-mismatch", severity: .warning, subject: name,
                    cause: "The sheet showed another amount than the order's.",
                    evidence: evidence, mend: "Refuse it unless the order is explicitly pending or split."))
        }
    }

    private func compareApplicationData(_ token: PaymentToken, _ name: String, into diagnosis: inout Diagnosis) {
        for hint in file.hints {
            guard let issued = hint.value.applicationData else { continue }
            let bytes = Array(issued.utf8)
            let expected = Array(SHA256.hash(data: bytes))
            guard token.header.applicationData != expected else { continue }
            var evidence: [Finding.Evidence] = [
                .init("SHA-256 of what was issued", Hexadecimal.encode(expected)),
                .init("header applicationData", token.header.applicationData.map { Hexadecimal.encode($0) } ?? "absent"),
            ]
            let base64 = StrictBase64.encode(bytes)
            let variants: [(String, [UInt8]?)] = [
                ("base64 text of it", Array(base64.utf8)), ("bytes that its base64 text stands for", try? StrictBase64.decode(issued)),
                ("hex text of it", Array(Hexadecimal.encode(bytes).utf8)), ("its SHA-256", expected),
            ]
            if let carried = token.header.applicationData,
                let match = variants.first(where: { $0.1.map { Array(SHA256.hash(data: $0)) } == carried })
            {
                evidence.append(.init("the header is the SHA-256 of the", match.0))
            }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.application-data-mismatch", subject: name,
                    cause: "The token was not made for the applicationData that the order issued.", evidence: evidence,
                    mend: "Give the request the issued bytes themselves, and compare the header with their SHA-256."))
        }
    }
}
