package org.aspas.certify.evidence;

import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.message.BrokenEntry;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Head;
import org.aspas.certify.quorum.Quorums;
import org.aspas.crdt.clock.Dot;

/** What every entry of a correct origin satisfies, whatever others do (the protocol page, docs/protocol.md §2, §4). */
final class EntryRules {
    private final Quorums quorums;
    private final Signatories signatories;
    private final Predicate<ClientId> admits;

    EntryRules(Quorums quorums, Signatories signatories, Predicate<ClientId> admits) {
        this.quorums = quorums;
        this.signatories = signatories;
        this.admits = admits;
    }

    Optional<String> unfounded(BrokenEntry evidence) {
        Head head = evidence.head().message();
        BrokenEntry.Included before = evidence.before();
        boolean atItsPlace = before == null
                || (before.proof().leafIndex() == evidence.entry().proof().leafIndex() - 1 && included(before, head));
        if (!included(evidence.entry(), head) || !atItsPlace) {
            return EvidenceJudge.why("an entry is not proved at its place under the head");
        }
        if (!signatories.head(evidence.head())) {
            return EvidenceJudge.why("the head is not signed by its origin");
        }
        Dot dot = new Dot(head.origin(), evidence.entry().proof().leafIndex() + 1);
        Optional<Entry> entry =
                Codec.decode(evidence.entry().bytes(), Entry.class).accepted();
        if (entry.isEmpty() || !wellFormed(entry.get(), dot)) {
            return Optional.empty();
        }
        return before != null && falls(before, entry.get())
                ? Optional.empty()
                : EvidenceJudge.why("the entry breaks no rule");
    }

    private static boolean included(BrokenEntry.Included one, Head head) {
        return one.proof().treeSize() == head.size()
                && one.proof().verifies(MerkleTree.leafHash(one.bytes()), head.root());
    }

    private boolean wellFormed(Entry entry, Dot dot) {
        return entry.dot().equals(dot)
                && entry.dependencies().size() == quorums.appservers()
                && entry.dependencies().get(dot.origin()) == dot.sequence() - 1
                && admits.test(entry.body().message().client())
                && signatories.request(entry.body());
    }

    private boolean falls(BrokenEntry.Included before, Entry entry) {
        Optional<Entry> earlier = Codec.decode(before.bytes(), Entry.class).accepted();
        return earlier.isPresent()
                && earlier.get().dependencies().size() == quorums.appservers()
                && !entry.dependencies().dominates(earlier.get().dependencies());
    }
}
