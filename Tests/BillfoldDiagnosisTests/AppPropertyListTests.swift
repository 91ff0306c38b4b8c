import BillfoldDiagnosis
import Foundation
import Testing

@Suite struct AppPropertyListTests {
    private func list(_ entries: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws -> AppPropertyList? {
        AppPropertyList(try PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0))
    }

    @Test func schemesOfAllTypesAreRead() throws {
        let types: [[String: Any]] = [["CFBundleURLSchemes": ["one", "Two"]], ["CFBundleURLName": "x"], ["CFBundleURLSchemes": ["two"]]]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let list = try #require(try list(["CFBundleURLTypes": types], format))
            #expect(list.registeredSchemes == ["one", "Two", "two"] && list.queriedSchemes.isEmpty)
            #expect(list.registrations(of: "TWO") == 2 && list.registrations(of: "three") == 0)
        }
    }

    @Test func schemesBeyondTheLimitCannotBeAskedFor() throws {
        let others = (1...49).map { "app\($0)" }
        let list = try #require(try list(["LSApplicationQueriesSchemes": others + ["fiftieth", "late"]]))
        #expect(list.unaskable(["Fiftieth", "late", "app1", "none"]) == ["late", "none"])
    }

    @Test func propertyListsAreToldByTheirFirstBytes() throws {
        let binary = try PropertyListSerialization.data(fromPropertyList: [String: Any](), format: .binary, options: 0)
        #expect(AppPropertyList.isMeant(by: Array(binary)) && AppPropertyList.isMeant(by: Array("<?xml?>\n<plist>".utf8)))
        #expect(!AppPropertyList.isMeant(by: Array("{}".utf8)) && AppPropertyList(Data("<plist".utf8)) == nil)
    }
}
