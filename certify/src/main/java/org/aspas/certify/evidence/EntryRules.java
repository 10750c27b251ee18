package org.aspas.certify.evidence;

import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;

/**
 * What every entry of a correct origin satisfies, whatever others do (the protocol page, docs/protocol.md §2, §4). This is the
 * one definition of a broken entry: the logs refuse what breaks it, and the judge of evidence convicts by it. Immutable.
 */
public final class EntryRules {
    private final Quorums quorums;
    private final Predicate<ClientId> admits;
    private final Verifier verifier;

    public EntryRules(Quorums quorums, Predicate<ClientId> admits, Verifier verifier) {
        this.quorums = quorums;
        this.admits = admits;
        this.verifier = verifier;
    }

    /**
     * Whether an entry may stand at a place of its origin's log, whoever signed the request in it: it names that place,
     * depends on all earlier entries of the log and on no later one, and on no less than the entry before it.
     *
     * @param before the dependencies of the entry before it; zeros at the first place
     */
    public boolean inPlace(Entry entry, Dot place, VersionVector before) {
        VersionVector dependencies = entry.dependencies();
        return entry.dot().equals(place)
                && dependencies.size() == quorums.appservers()
                && dependencies.get(place.origin()) == place.sequence() - 1
                && dependencies.dominates(before);
    }

    /**
     * Whether an entry that its origin put into its log names a later incarnation of that origin than the open one, by its own name or by
     * what it depends on of its own log. Such an entry is never {@link #inPlace}, and yet proves nothing: it is held back. What it depends
     * on of others does not matter here: it waits for that.
     */
    public static boolean namesLater(Entry entry, int origin) {
        VersionVector dependencies = entry.dependencies();
        return SequenceNumbers.isLater(entry.dot().sequence())
                || (origin < dependencies.size() && SequenceNumbers.isLater(dependencies.get(origin)));
    }

    /** Whether the request in an entry is signed by its client, whom the deployment admits. */
    public boolean signed(Entry entry) {
        ClientSigned body = entry.body().message();
        return admits.test(body.client())
                && entry.body().verify(verifier, body.client().key(), Sealer.domainOf(body));
    }
}
