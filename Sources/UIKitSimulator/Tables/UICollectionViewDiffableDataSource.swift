public import Foundation

/// The source of a collection that is told what to show by snapshots. A change is seen at once, and what was chosen stays chosen with its item.
@MainActor
@preconcurrency
open class UICollectionViewDiffableDataSource<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable>: NSObject {
    /// Makes the cell of an item. Nil crashes an app on a device; here the cell is an empty one.
    public typealias CellProvider = (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?
    /// Makes what stands above or below a section. It is not asked here.
    public typealias SupplementaryViewProvider = (UICollectionView, String, IndexPath) -> UICollectionReusableView?

    open var supplementaryViewProvider: SupplementaryViewProvider?
    private weak var collection: UICollectionView?
    private let provider: CellProvider
    private var shown = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()

    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
        collection = collectionView
        provider = cellProvider
        super.init()
        collectionView.dataSource = self
    }

    // MARK: Snapshots

    /// What is shown, to be changed and applied.
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { shown }

    /// Shows a snapshot, and then calls back.
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        let before = shown
        shown = snapshot.settled()
        for mistake in snapshot.mistakes { SimulatedScreen.current.record(.snapshotWrong, mistake) }
        collection?.rearrange { snapshot.path($0, from: before) }
        completion?()
    }

    /// Shows a snapshot.
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true
    ) async {
        apply(snapshot, animatingDifferences: animatingDifferences, completion: nil)
    }

    /// Shows a snapshot, with every cell made anew, and then calls back. Nothing is chosen any more.
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, completion: (() -> Void)? = nil
    ) {
        apply(snapshot, animatingDifferences: false, completion: nil)
        collection?.reloadData()
        completion?()
    }

    /// Shows a snapshot, with every cell made anew. Nothing is chosen any more.
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    ) async {
        applySnapshotUsingReloadData(snapshot, completion: nil)
    }

    // MARK: What is where

    /// The item at a place.
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { shown.item(indexPath.item, in: indexPath.section) }

    /// The place of an item.
    open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        shown.place(of: itemIdentifier).map { IndexPath(item: $0.item, section: $0.section) }
    }

    /// The section at a place.
    open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        shown.sectionIdentifiers.indices.contains(index) ? shown.sectionIdentifiers[index] : nil
    }

    /// The place of a section.
    open func index(for sectionIdentifier: SectionIdentifierType) -> Int? { shown.indexOfSection(sectionIdentifier) }

    // MARK: The collection's source

    /// How many sections are shown.
    open func numberOfSections(in collectionView: UICollectionView) -> Int { shown.numberOfSections }

    /// How many items of a section are shown.
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        sectionIdentifier(for: section).map { shown.numberOfItems(inSection: $0) } ?? 0
    }

    /// The cell of an item.
    open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
        if let item = itemIdentifier(for: indexPath), let cell = provider(collectionView, indexPath, item) { return cell }
        SimulatedScreen.current.record(.cellNotRegistered, "no cell for \(indexPath)")
        return UICollectionViewCell(frame: .zero)
    }
}

extension UICollectionViewDiffableDataSource: UICollectionViewDataSource {}
