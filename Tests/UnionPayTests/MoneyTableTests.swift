import BillfoldDiagnosis
import BillfoldMoney
import BillfoldTestSupport
import Foundation
import SwiftASN1
import Testing
import UnionPay
import UnionPayDiagnosis
import X509

/// What UnionPay's signed messages say of money, one row for each form, with where the reading comes from.
///
/// Sources: 8.2 is apple-pay.md#deduct-message, 8.4 apple-pay.md#reply-codes, 8.5 apple-pay.md#notification, 8.6 apple-pay.md#query and
/// 8.7 apple-pay.md#undoing. [C] is observed in public code, [V] confirmed by real messages, [I] inferred.
@Suite struct MoneyTableTests {
    /// Signs as the gateway does and reads the message, so that what is tested is what a caller sees.
    private func read<Message: UnionPayMessage>(_ changes: [String: String], _ type: Message.Type = Message.self) throws -> Message {
        let authority = try TestAuthority()
        let signer = try ReplySigner(key: RSAPool.keys[2], certificate: authority.signer(key: RSAPool.keys[2]))
        var fields: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "respMsg": "x[0000001]", "merId": "777290058167151", "orderId": "ORDER12345",
            "txnTime": "20261120200000",
        ]
        for (name, value) in changes { fields[name] = value }
        return try Unverified<Message>(signer.signed(fields)).verified(by: UnionPayVerifier(trust: authority.trust), at: TestAuthority.now)
    }

    private var asked: TransactionKey {
        get throws {
            try TransactionKey(merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        }
    }

    private func code(_ text: String) -> ReplyCode { ReplyCode(rawValue: text) }

    // MARK: Notifications

    private static let notified = [
        "respCode": "00", "txnType": "01", "txnAmt": "3300", "currencyCode": "156", "queryId": "123456789012345678901",
    ]

    /// `isSuccess` is nil where the message is refused: an amount, a number or a code that is missing proves nothing.
    static let notifications: [(changes: [String: String], isSuccess: Bool?, source: String)] = [
        ([:], true, "8.5 [C]"), (["respCode": "A6"], true, "8.4 [C]: success, and the amount is compared"),
        (["respCode": "A1"], false, "8.4: UnionPay has it, and will complete it"), (["respCode": "05"], false, "8.4: ask later"),
        (["respCode": "64"], false, "8.5 [C]: failures are not notified"), (["respCode": "74"], false, "8.4: disputed"),
        (["respCode": ""], nil, "8.5 [V]: every one has it"), (["txnAmt": ""], nil, "8.5 [V]"), (["currencyCode": ""], nil, "8.5 [V]"),
        (["queryId": ""], nil, "8.5 [V]"), (["txnType": ""], nil, "8.5 [V]"), (["txnAmt": "33.00"], nil, "8.2: minor units"),
        (["txnAmt": "-1"], nil, "8.2"), (["txnAmt": "0"], true, "8.5: the receiver compares the amount, and zero is none of its orders"),
    ]

    @Test(arguments: notifications.indices) func whatANotificationSaysOfMoney(index: Int) throws {
        let row = Self.notifications[index]
        let fields = Self.notified.merging(row.changes) { $1 }
        guard let isSuccess = row.isSuccess else {
            #expect(throws: UnionPayError.self, "\(row.source)") { try read(fields, PaymentNotification.self) }
            return
        }
        let notification = try read(fields, PaymentNotification.self)
        #expect(notification.isSuccess == isSuccess, "\(row.source)")
        #expect(notification.amount.minorUnits == Int64(fields["txnAmt"] ?? ""))
    }

    // MARK: Answers to queries

    enum Verdict: Sendable { case paid, declined, notPerformed, unknown, disputed, otherAmount, refused }

    static let queries: [(fields: [String: String], verdict: Verdict, source: String)] = [
        (["respCode": "00", "origRespCode": "00"], .paid, "8.6 [V]: a real reply need not name the amount; it is bound to the message"),
        (["respCode": "00", "origRespCode": "00", "txnAmt": "3300", "currencyCode": "156"], .paid, "8.6 [C]"),
        (["respCode": "00", "origRespCode": "00", "txnAmt": "3300"], .paid, "8.2: 156 where nothing is named [I]"),
        (["respCode": "00", "origRespCode": "00", "settleAmt": "3300", "settleCurrencyCode": "156"], .paid, "8.6 [V]"),
        (["respCode": "00", "origRespCode": "00", "txnAmt": "3301", "currencyCode": "156"], .otherAmount, "8.5: compare [C]"),
        (["respCode": "00", "origRespCode": "00", "txnAmt": "0", "currencyCode": "156"], .otherAmount, "8.5: compare [C]"),
        (["respCode": "00", "origRespCode": "00", "txnAmt": "3300", "currencyCode": "344"], .otherAmount, "8.5: compare [C]"),
        (["respCode": "00", "origRespCode": "00", "settleAmt": "1", "settleCurrencyCode": "156"], .otherAmount, "8.6 [V]"),
        (["respCode": "00", "origRespCode": "00", "settleAmt": "1"], .otherAmount, "8.6 [V]: settleAmt stands there without its currency"),
        (["respCode": "00", "origRespCode": "A6", "txnAmt": "3300", "currencyCode": "156"], .paid, "8.4, 8.6 [C]"),
        (["respCode": "00", "origRespCode": "A6", "txnAmt": "3000", "currencyCode": "156"], .otherAmount, "8.4: a part"),
        (["respCode": "00", "origRespCode": "A6"], .unknown, "8.4: it may be a part, and no amount is named [I]"),
        (["respCode": "00", "origRespCode": "A1"], .unknown, "8.4: it will be completed"),
        (["respCode": "00", "origRespCode": "03"], .unknown, "8.4"), (["respCode": "00", "origRespCode": "04"], .unknown, "8.4"),
        (["respCode": "00", "origRespCode": "05"], .unknown, "8.4"), (["respCode": "00", "origRespCode": "12"], .unknown, "8.4"),
        (["respCode": "00", "origRespCode": "99"], .unknown, "8.4"),
        (["respCode": "00", "origRespCode": "B7"], .unknown, "8.4: not listed"),
        (["respCode": "00", "origRespCode": "64"], .declined, "8.4"), (["respCode": "00", "origRespCode": "84"], .declined, "8.4"),
        (["respCode": "00", "origRespCode": "42"], .disputed, "8.4"), (["respCode": "00", "origRespCode": "74"], .disputed, "8.4"),
        (["respCode": "00", "origRespCode": "01"], .notPerformed, "8.4, 8.6: final only past the time limit"),
        (["respCode": "00", "origRespCode": "34"], .notPerformed, "8.4, 8.6"), (["respCode": "00"], .refused, "8.6 [V]: it has the code"),
        (["respCode": "00", "origRespCode": ""], .refused, "8.6 [V]"), (["respCode": ""], .refused, "8.6 [V]"),
        (["respCode": "34"], .notPerformed, "8.6: not there yet, or never"),
        (["respCode": "34", "orderId": "", "txnTime": ""], .unknown, "[I]: of a transaction that it does not name"),
        (["respCode": "34", "txnTime": ""], .unknown, "[I]: the same number of another day"),
        (["respCode": "34", "orderId": "ORDER12346"], .refused, "[I]: of another transaction"),
        (["respCode": "34", "origRespCode": "00"], .notPerformed, "8.6: the second level counts under 00 alone"),
        (["respCode": "37"], .unknown, "8.4: of the query"), (["respCode": "11"], .unknown, "8.4: of the query"),
        (["respCode": "64"], .unknown, "8.6: of the query, whatever it says"), (["respCode": "99"], .unknown, "8.4: of the query"),
        (["respCode": "00", "origRespCode": "00", "orderId": "ORDER12346"], .refused, "[I]: of another transaction"),
        (["respCode": "00", "origRespCode": "00", "orderId": ""], .refused, "[I]: of none"),
        (["respCode": "00", "origRespCode": "64", "txnTime": "20261120200001"], .refused, "[I]: of another transaction"),
    ]

    @Test(arguments: queries.indices) func whatAQueryReplySaysOfMoney(index: Int) throws {
        let row = Self.queries[index]
        let amount = Amount(minorUnits: 3300, currency: try Currency("CNY"))
        let found: Verdict
        do {
            switch try read(row.fields, QueryReply.self).bound(to: asked).verdict(of: amount) {
            case .paid: found = .paid
            case .declined: found = .declined
            case .notPerformed: found = .notPerformed
            case .unknown: found = .unknown
            case .disputed: found = .disputed
            case .otherAmount: found = .otherAmount
            }
        } catch is UnionPayError { found = .refused }
        #expect(found == row.verdict, "\(row.fields): \(row.source)")
    }

    /// Of all codes that there are, two prove a payment, and none but a listed refusal proves that there was none.
    @Test func noCodeProvesMoreThanItSays() throws {
        let amount = Amount(minorUnits: 3300, currency: try Currency("CNY"))
        for first in "0123456789AB" {
            for second in "0123456789AB" {
                let name = "\(first)\(second)"
                let fields = ["respCode": "00", "origRespCode": name, "txnAmt": "3300", "currencyCode": "156"]
                let verdict = try read(fields, QueryReply.self).bound(to: asked).verdict(of: amount)
                #expect((verdict == .paid) == (name == "00" || name == "A6"), "\(name)")
                if case .declined = verdict { #expect(code(name).class == .declined, "\(name)") }
                if case .unknown = verdict { continue }
                #expect(code(name).isListed, "\(name)")
            }
        }
    }

    // MARK: Whose certificate signed

    private func examine(_ body: String, _ files: [(String, [UInt8])], keys: DiagnosticKeys = DiagnosticKeys()) -> [Finding] {
        UnionPayDiagnostician(keys: keys, instant: TestAuthority.now)
            .examine(
                [Artifact(name: "message", bytes: Array(body.utf8))] + files.map { Artifact(name: $0.0, bytes: $0.1) }
            ).findings
    }

    @Test func aMessageSignedWithTheMerchantsOwnKeyIsNamed() throws {
        let authority = try TestAuthority()
        let (key, other) = (RSAPool.keys[3], RSAPool.keys[2])
        // The merchant's certificate may well chain to the same root.
        let own = try authority.signer("041@Z1@A shop@1", key: key)
        let roots = [
            ("root.pem", try TestAuthority.pem(authority.root)), ("intermediate.pem", try TestAuthority.pem(authority.intermediate)),
        ]
        var maker = MessageMaker(dice: Dice(seed: 5))
        let body = try FormBody.encode(ReplySigner(key: key, certificate: own).signed(maker.notification()))
        let certificate = ("merchant.pem", try TestAuthority.pem(own))
        let privateKey = ("key.pem", Array(try key.serializeAsPEM().pemString.utf8))
        for files in [[certificate], [privateKey], roots + [certificate], roots + [privateKey]] {
            let found = examine(body, files)
            #expect(found.map(\.code) == ["unionpay.own-certificate"] && found[0].severity == .defect, "\(files.map(\.0))")
        }
        // Under UnionPay's name as well.
        let named = try TestAuthority.issue(
            TestAuthority.unionPayName, serial: 9, key: key.publicKey, issuer: TestAuthority.unionPayName, issuerKey: key)
        let forged = try FormBody.encode(ReplySigner(key: key, certificate: named).signed(maker.notification()))
        #expect(examine(forged, [certificate]).map(\.code) == ["unionpay.own-certificate"])
        #expect(examine(forged, roots + [certificate]).map(\.code) == ["unionpay.certificate-forged"])
        // What is UnionPay's stays quiet, with its certificate at hand and without.
        let signer = try authority.signer(key: other)
        let good = try FormBody.encode(ReplySigner(key: other, certificate: signer).signed(maker.notification()))
        #expect(examine(good, roots + [certificate, ("up-sign.pem", try TestAuthority.pem(signer))]).isEmpty)
    }

    @Test func aRequestSignedWithUnionPaysKeyIsNamed() throws {
        let authority = try TestAuthority()
        let key = RSAPool.keys[2]
        let certificate = try authority.signer(key: key)
        var maker = MessageMaker(dice: Dice(seed: 6))
        let body = try FormBody.encode(UnionPaySigner(key: key, certificate: certificate).signed(maker.consume()))
        #expect(examine(body, [("up-sign.pem", try TestAuthority.pem(certificate))]).map(\.code) == ["unionpay.other-side-key"])
    }

    /// Anybody can make a certificate and sign with its key: without a root that is no proof.
    @Test func aSignerThatNobodyJudgedIsSaid() throws {
        let authority = try TestAuthority()
        var maker = MessageMaker(dice: Dice(seed: 7))
        let signer = try authority.signer(key: RSAPool.keys[2])
        let body = try FormBody.encode(ReplySigner(key: RSAPool.keys[2], certificate: signer).signed(maker.notification()))
        let found = examine(body, [])
        #expect(found.map(\.code) == ["unionpay.signer-not-judged"] && found.allSatisfy { $0.severity == .warning })
        let field = try String(decoding: FieldInput.bytes("applepay/forged-without-root/forged-selfsigned.form"), as: UTF8.self)
        #expect(examine(field, []).map(\.code).first == "unionpay.signer-not-judged")
        #expect(examine(field, [("root.pem", try TestAuthority.pem(authority.root))]).map(\.code).contains("unionpay.certificate-forged"))
    }
}
