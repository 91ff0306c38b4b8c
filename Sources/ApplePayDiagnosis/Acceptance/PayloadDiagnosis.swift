import ApplePay
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
        for hint in file.hints { examineAmounts(hint, into: &diagnosis) }
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
        for hint in file.hints { compare(payload, in: name, with: hint, into: &diagnosis) }
        // Of several requests nobody said which one is this payment's.
        if file.requests.count == 1 { compare(payload, in: name, with: file.requests[0], into: &diagnosis) }
    }

    private func compare(
        _ payload: PaymentPayload, in name: String, with hint: CaseFile.Named<MerchantHints>, into diagnosis: inout Diagnosis
    ) {
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
            } else {
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.amount-charged-mismatch", subject: hint.name, cause: "The charged amount is not the order's.",
                        evidence: evidence, mend: "Charge the order's own amount."))
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

    /// What the request asked for and what the sheet showed last, against what the token says.
    private func compare(
        _ payload: PaymentPayload, in name: String, with request: CaseFile.Named<PaymentRequest>, into diagnosis: inout Diagnosis
    ) {
        guard let currency = try? Currency(request.value.currencyCode) else { return }
        guard payload.currencyCode == currency.numericCode else {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.currency-mismatch", subject: name, cause: "The token's currency is not the request's.",
                    evidence: [
                        .init("token currencyCode", payload.currencyCode),
                        .init("request currencyCode", "\(currency) (\(currency.numericCode))"),
                    ],
                    mend: "Open the sheet with the request that was made for the order."))
            return
        }
        guard let total = shownLast(request.value), total.kind == .final, let shown = try? Amount(total.amount, currency: currency),
            shown.minorUnits != payload.transactionAmount
        else { return }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.amount-mismatch", severity: .warning, subject: name,
                cause: "The token states another amount than the sheet showed.",
                evidence: [
                    .init("\(request.name), minor units", shown.minorUnitText),
                    .init("token transactionAmount", String(payload.transactionAmount)),
                ],
                mend: "Hand over the recorded sheet if a callback changed the total; otherwise the token is another order's."))
    }

    /// The last total of the recorded sheet; without one, the request's where nothing that the customer chooses can change it.
    private func shownLast(_ request: PaymentRequest) -> PaymentRequest.SummaryItem? {
        guard file.sessions.count < 2 else { return nil }
        if let session = file.sessions.first {
            return session.value.events.flatMap(\.answers).compactMap { $0.items?.last }.last ?? request.total
        }
        return request.shippingMethods.isEmpty && !request.supportsCouponCode ? request.total : nil
    }

    /// A hint about money that cannot be read was compared with nothing.
    private func examineAmounts(_ hint: CaseFile.Named<MerchantHints>, into diagnosis: inout Diagnosis) {
        var faults: [Finding.Evidence] = []
        if let code = hint.value.currency {
            do throws(MoneyError) {
                let currency = try Currency(code)
                if let text = hint.value.amount { _ = try Amount(text, currency: currency) }
            } catch {
                faults.append(.init("amount and currency", error.reason))
            }
        }
        if let charged = hint.value.charged, Int64(charged) == nil { faults.append(.init("txnAmt", "not a whole number of minor units")) }
        guard !faults.isEmpty else { return }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.hint-unreadable", severity: .warning, subject: hint.name,
                cause: "An amount of the order cannot be read, so it was compared with nothing.", evidence: faults,
                mend: "Write amount in major units as plain decimal text with an ISO 4217 code, and txnAmt in minor units."))
    }

    private func compareApplicationData(_ token: PaymentToken, _ name: String, into diagnosis: inout Diagnosis) {
        if file.requests.count == 1, let asked = file.requests[0].value.applicationData {
            compareApplicationData(
                token, in: name, issued: [asked], cause: "The token was not made for the applicationData of the request.", into: &diagnosis)
        }
        for hint in file.hints where hint.value.applicationData != nil {
            compareApplicationData(
                token, in: name, issued: hint.value.issuedApplicationData,
                cause: "The token was not made for the applicationData that the order issued.",
                into: &diagnosis)
        }
    }

    /// - Parameter issued: The forms that the issued bytes may have been written in; at least one.
    private func compareApplicationData(
        _ token: PaymentToken, in name: String, issued: [[UInt8]], cause: String, into diagnosis: inout Diagnosis
    ) {
        let hashes = issued.map { Array(SHA256.hash(data: $0)) }
        let carried = token.header.applicationData
        guard let bytes = issued.first, let expected = hashes.first, !hashes.contains(where: { $0 == carried }) else { return }
        var evidence: [Finding.Evidence] = [
            .init("SHA-256 of what was issued", Hexadecimal.encode(expected)),
            .init("header applicationData", carried.map { Hexadecimal.encode($0) } ?? "absent"),
        ]
        let variants: [(String, [UInt8])] = [
            ("base64 text of it", Array(StrictBase64.encode(bytes).utf8)), ("hex text of it", Array(Hexadecimal.encode(bytes).utf8)),
            ("its SHA-256", expected),
        ]
        if let match = variants.first(where: { Array(SHA256.hash(data: $0.1)) == carried }) {
            evidence.append(.init("the header is the SHA-256 of the", match.0))
        }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.application-data-mismatch", subject: name, cause: cause, evidence: evidence,
                mend: "Give the request the issued bytes themselves, and compare the header with their SHA-256."))
    }
}
