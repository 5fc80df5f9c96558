internal import FileStorage
internal import Threading

extension PreferencesStore {
  /// Figures about the library's work in this process. Reading them takes microseconds, and a little
  /// more for each domain with changes that are not on disk.
  public static var statistics: PreferencesStatistics {
    let unsaved = CommitScheduler.shared.unsaved
    let watching = FileWatching.statistics
    return PreferencesStatistics(
      domainCount: DomainFile.count,
      unsavedCount: unsaved.count,
      oldestUnsavedAge: unsaved.since.map { .now - $0 },
      commits: ActivityCounter.commits.activity,
      reads: ActivityCounter.reads.activity,
      watchedCount: watching.fileCount,
      polledCount: watching.polledCount,
      watchCount: watching.watchCount,
      threadCount: BackgroundThread.count,
      descriptorCount: watching.descriptorCount)
  }
}
