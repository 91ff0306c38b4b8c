import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import Testing
import UnionPay
import X509

@Suite struct MessageTests {
    let merchantKey = RSAPool.keys[3]

    /// Signs as the gateway does and reads the reply, so that what is tested is what a caller sees.
    private func reply<Message: UnionPayMessage>(_ fields: UnionPayFields, as type: Message.Type = Message.self) throws -> Message {
        let authority = try TestAuthority()
        let certificate = try authority.signer(key: RSAPool.keys[2])
        let signed = try ReplySigner(key: RSAPool.keys[2], certificate: certificate).signed(fields)
        return try Unverified<Message>(signed).verified(by: UnionPayVerifier(trust: authority.trust), at: TestAuthority.now)
    }

    private func base(_ code: String) -> UnionPayFields {
        [
            "version": "5.1.0", "encoding": "UTF-8", "respCode": code, "respMsg": "x[0000001]", "merId": "777290058167151",
            "orderId": "ORDER12345", "txnTime": "20261120200000",
        ]
    }

    private func received<Request: UnionPayRequest>(_ request: Request) throws -> Request {
        let certificate = try TestAuthority.issue(
            "m", serial: 77, key: merchantKey.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
        let signed = try request.signed(by: UnionPaySigner(key: merchantKey, certificate: certificate))
        return try Request(MerchantSignatureVerifier([.rsa(certificate)]).verified(FormBody.decode(Array(FormBody.encode(signed).utf8))))
    }

    @Test func everyRequestIsReadAsItWasWritten() throws {
        var maker = MessageMaker(dice: Dice(seed: 11))
        let key = try maker.key()
        let amount = Amount(minorUnits: 3300, currency: try Currency("CNY"))
        let queryID = try QueryID("123456789012345678901")
        let refund = RefundRequest(key: key, original: .queryID(queryID), amount: amount, backURL: "https://a.example/n?x=1&y=2")
        #expect(try received(refund).fields() == refund.fields())
        let void = VoidRequest(key: key, original: .queryID(queryID), amount: amount, backURL: "https://a.example/n", reserved: "note")
        #expect(try received(void).fields() == void.fields())
        let reversal = ReversalRequest(key: key, amount: amount)
        #expect(try received(reversal).fields().dictionary == reversal.fields().dictionary)
        let query = QueryRequest(key: key, queryID: queryID)
        #expect(try received(query).fields() == query.fields())
        #expect(try query.fields()["txnAmt"] == nil)
        let file = FileTransferRequest(merchant: key.merchant, time: key.time, settlementDay: try SettlementDay("1120"))
        #expect(try received(file).fields() == file.fields())
    }

    @Test func consumeCarriesThePinAndChipDataUnchanged() throws {
        let card = CardTransactionData(accountNumber: .init("6233999999990017"), emvData: .init("nyYIAQ+/=="), encryptedPIN: .init("a1b2"))
        let key = try TransactionKey(
            merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        let request = ConsumeRequest(
            key: key, amount: Amount(minorUnits: 1, currency: try Currency("CNY")), card: card, backURL: "https://a.example/n")
        let fields = try request.fields()
        #expect(fields["cardTransData"] == "{ICCardData=nyYIAQ+/==&carrierAppTp=2&carrierTp=6}")
        #expect(fields["customerInfo"] == Data("{pin=a1b2}".utf8).base64EncodedString())
        let back = try received(request)
        #expect(back.emvData.reveal() == "nyYIAQ+/==")
        #expect(back.encryptedPIN?.reveal() == "a1b2")
    }

    @Test(arguments: [0, -1] as [Int64]) func consumeOfNothingIsRefused(minorUnits: Int64) throws {
        var maker = MessageMaker(dice: Dice(seed: 12))
        let card = CardTransactionData(accountNumber: .init("6233999999990017"), emvData: .init("AA=="))
        let request = ConsumeRequest(
            key: try maker.key(), amount: Amount(minorUnits: minorUnits, currency: try Currency("CNY")), card: card, backURL: "https://a")
        #expect(throws: UnionPayError.self) { try request.fields() }
    }

    @Test func synchronousAcceptanceIsNoPayment() throws {
        let reply: AcceptanceReply = try reply(base("00"))
        #expect(reply.code.class == .accepted)
        #expect(reply.code.meaning.contains("not"))
    }

    private var asked: TransactionKey {
        get throws {
            try TransactionKey(merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        }
    }

    private var amount: Amount { get throws { Amount(minorUnits: 3300, currency: try Currency("CNY")) } }

    private func verdict(_ fields: UnionPayFields) throws -> QueryReply.Verdict {
        try reply(fields, as: QueryReply.self).bound(to: asked).verdict(of: amount)
    }

    @Test func originalIsReadOnlyWhenTheQueryItselfSucceeded() throws {
        var fields = base("34")
        fields["origRespCode"] = "00"
        #expect(try reply(fields, as: QueryReply.self).original == nil)
        #expect(try verdict(fields) == .notPerformed(.noSuchTransaction))
        fields["respCode"] = "00"
        #expect(try verdict(fields) == .paid)
    }

    @Test(arguments: [
        ("A6", QueryReply.Verdict.unknown(.defectiveSuccess)), ("A1", .unknown(.init(rawValue: "A1"))),
        ("03", .unknown(.init(rawValue: "03"))),
        ("05", .unknown(.init(rawValue: "05"))), ("12", .unknown(.duplicate)), ("38", .unknown(.init(rawValue: "38"))),
        ("64", .declined(.init(rawValue: "64"))), ("42", .disputed(.init(rawValue: "42"))), ("75", .unknown(.init(rawValue: "75"))),
        ("11", .notPerformed(.signatureFailed)), ("01", .notPerformed(.init(rawValue: "01"))), ("34", .notPerformed(.noSuchTransaction)),
    ])
    func verdictFollowsTheOriginalsCode(code: String, expected: QueryReply.Verdict) throws {
        var fields = base("00")
        fields["origRespCode"] = code
        #expect(try verdict(fields) == expected)
    }

    @Test(arguments: [["txnAmt": "1"], ["settleAmt": "1", "settleCurrencyCode": "156"]])
    func successOfAnotherAmountIsNoSuccess(of other: [String: String]) throws {
        var fields = base("00")
        fields["origRespCode"] = "00"
        for (name, value) in other { fields[name] = value }
        #expect(try verdict(fields) == .otherAmount)
    }

    @Test(arguments: [["orderId": "ORDER12346"], ["txnTime": "20261120200001"], ["merId": "777290058167152"], ["orderId": ""]])
    func queryReplyAboutAnotherTransactionIsNotBound(change: [String: String]) throws {
        var fields = base("00")
        fields["origRespCode"] = "00"
        for (name, value) in change { fields[name] = value }
        let changed: QueryReply = try reply(fields)
        #expect { _ = try changed.bound(to: asked) } throws: { ($0 as? UnionPayError)?.code == .otherMessage }
    }

    @Test(arguments: [
        ["orderId": "ORDER12346"], ["txnTime": "20261120200001"], ["txnType": "01"], ["txnType": ""], ["orderId": "", "txnTime": ""],
    ])
    func replyToAnotherMessageIsNotBound(change: [String: String]) throws {
        var fields = base("00")
        fields["txnType"] = "99"
        #expect(throws: Never.self) { try reply(fields, as: AcceptanceReply.self).bound(to: asked, .reversal) }
        for (name, value) in change { fields[name] = value }
        let changed: AcceptanceReply = try reply(fields)
        #expect { _ = try changed.bound(to: asked, .reversal) } throws: { ($0 as? UnionPayError)?.code == .otherMessage }
    }

    /// Whoever could not read a message cannot repeat it; whoever could has no excuse.
    @Test(arguments: [("11", true), ("64", false), ("31", false), ("00", false)])
    func replyThatNamesNothingIsBelievedAboutItsOwnFormOnly(code: String, isBelieved: Bool) throws {
        var fields = base(code)
        for name in ["orderId", "txnTime"] { fields[name] = "" }
        let changed: AcceptanceReply = try reply(fields)
        #expect(((try? changed.bound(to: asked, .consume)) != nil) == isBelieved)
    }

    @Test(arguments: [
        (TransactionType.consume, "64", MessageCopy.first, MessageOutcome.refused), (.consume, "64", .repeated, .unresolved),
        (.consume, "31", .repeated, .unresolved), (.consume, "11", .repeated, .unresolved), (.consume, "34", .first, .unresolved),
        (.consume, "42", .first, .disputed), (.consume, "00", .repeated, .accepted), (.refund, "36", .first, .refused),
        (.refund, "36", .repeated, .unresolved), (.void, "74", .first, .disputed), (.void, "12", .repeated, .unresolved),
        (.reversal, "00", .first, .undone), (.reversal, "45", .repeated, .undone), (.reversal, "35", .first, .nothingToUndo),
        (.reversal, "32", .repeated, .refused), (.reversal, "05", .first, .unresolved), (.consume, "75", .first, .unresolved),
    ])
    func outcomeDependsOnTheMessageAndItsCopy(type: TransactionType, code: String, copy: MessageCopy, expected: MessageOutcome) throws {
        var fields = base(code)
        fields["txnType"] = type.rawValue
        #expect(try reply(fields, as: AcceptanceReply.self).bound(to: asked, type).outcome(of: copy) == expected)
    }

    @Test(arguments: [["settleDate": "1121"], ["merId": "777290058167152"], ["settleDate": ""], ["merId": ""]])
    func fileOfAnotherDayOrMerchantIsNotBound(change: [String: String]) throws {
        var fields = base("00")
        fields["settleDate"] = "1120"
        fields["fileContent"] = "AAAA"
        #expect(throws: Never.self) { try reply(fields, as: FileTransferReply.self).bound(to: asked.merchant, SettlementDay("1120")) }
        for (name, value) in change { fields[name] = value }
        let changed: FileTransferReply = try reply(fields)
        #expect(throws: UnionPayError.self) { try changed.bound(to: asked.merchant, SettlementDay("1120")) }
    }

    @Test func missingFileHasNoContent() throws {
        var fields: UnionPayFields = base("98")
        fields["orderId"] = nil
        let reply: FileTransferReply = try reply(fields)
        #expect(reply.fileContent == nil)
        #expect(reply.code.class == .fileMissing)
    }

    @Test func notificationWithoutAQueryIdIsRefused() throws {
        var maker = MessageMaker(dice: Dice(seed: 13))
        var fields = try maker.notification()
        fields["queryId"] = ""
        #expect(throws: UnionPayError.self) { try reply(fields, as: PaymentNotification.self) }
    }
}
