import GRVAppContainer
import Testing

struct GRVAppContainerExample {
    // Example
    /// The first programs of a super app, by name.
    @MainActor
    func firstPrograms(_ count: UInt) -> GRVFetchAppsParameter {
        let parameter = GRVFetchAppsParameter()
        parameter.queryStartIndex = 0
        parameter.querySize = count
        parameter.sortDescriptor = GRVAppNameSortDescriptorKey
        parameter.ascending = true
        return parameter
    }
    // End

    @MainActor @Test func example() {
        let parameter = firstPrograms(20)
        #expect(parameter.querySize == 20 && parameter.ascending)
    }
}
