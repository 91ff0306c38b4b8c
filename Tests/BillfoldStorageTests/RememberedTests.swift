import BillfoldStorage
import Testing

struct RememberedTests {
    @Test func moreThanTwiceItsCapacityIsForgotten() {
        let values = Remembered<Int, String>(capacity: 2)
        for key in [1, 2, 2, 3] { values.keep("\(key)", for: key) }
        #expect((1...3).map { values[$0] } == ["1", "2", "3"])
        for key in 4...5 { values.keep("\(key)", for: key) }
        #expect((1...5).map { values[$0] } == [nil, nil, "3", "4", "5"])
        // Of a key that was kept twice the last value counts, and nothing of it is left behind.
        values.keep("new", for: 3)
        #expect(values[3] == "new")
        #expect(values.take(3) == "new" && values[3] == nil)
        #expect(values.take(4) == "4" && values[4] == nil)
    }
}
