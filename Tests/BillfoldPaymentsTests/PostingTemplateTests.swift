import BillfoldPayments
import Testing

@Suite struct PostingTemplateTests {
    static let books = PaymentBooks(acquirer: "unionpay")

    @Test(arguments: Self.books.all)
    func legsSumToZeroForEveryAmount(_ template: PostingTemplate) {
        #expect(template.isBalanced)
    }

    @Test(arguments: Self.books.all)
    func filledLegsSumToZero(_ template: PostingTemplate) throws {
        for (amount, fee) in [(1, 0), (3300, 20), (Int64.max, 1)] as [(Int64, Int64)] {
            let legs = try template.filled(amount: amount, fee: fee)
            #expect(legs.reduce(Int128(0)) { $0 + Int128($1.amount) } == 0)
        }
    }

    @Test func unbalancedTemplateIsRefused() {
        let crooked = PostingTemplate("crooked", [.debit(.bank, .amount), .credit(.sales, .fee)])
        #expect(!crooked.isBalanced)
        #expect { try crooked.filled(amount: 5, fee: 4) } throws: { ($0 as? PaymentsError)?.code == .unbalancedPostings }
    }

    @Test func legThatDoesNotFitIsRefused() {
        let template = PostingTemplate("wide", [.debit(.bank, .amount).less(.fee), .credit(.sales, .amount), .debit(.acquirerFees, .fee)])
        #expect { try template.filled(amount: .min, fee: 1) } throws: { ($0 as? PaymentsError)?.code == .overflow }
    }

    /// Account by account, debit positive. Whoever keeps books can read it.
    static let table = """
        capture       amount=3300        receivable:unionpay +3300  sales -3300
        reversal      amount=3300        sales +3300  receivable:unionpay -3300
        refund        amount=1000        refunds +1000  receivable:unionpay -1000
        acquirer-fee  amount=0 fee=20    acquirer-fees +20  receivable:unionpay -20
        payout        amount=3300 fee=20 bank +3280  acquirer-fees +20  receivable:unionpay -3300
        """.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }

    @Test(arguments: Self.table)
    func templateBooksTheTabledLegs(_ row: [String]) throws {
        let template = try #require(Self.books.all.first { $0.name == row[0] })
        let figures = row.filter { $0.contains("=") }.map { Int64($0.split(separator: "=")[1]) ?? -1 }
        let legs = try template.filled(amount: figures[0], fee: figures.count > 1 ? figures[1] : 0)
        let shown = legs.flatMap { [$0.account.name, $0.amount > 0 ? "+\($0.amount)" : "\($0.amount)"] }
        #expect(shown == row.dropFirst().filter { !$0.contains("=") })
    }
}
