package org.aspas.appserver.core.state;

import java.util.List;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Kind;
import org.aspas.crdt.clock.VersionVector;

/**
 * What an operator has to know at once: an assumption is broken, somebody is proved faulty, or this server cannot vouch for
 * its state (the protocol page, docs/protocol.md §4, §5.6, §8). Programs decide by the type and the fields; {@link #text()} is
 * for people only, and may be reworded at any time. Immutable; equal when all fields are.
 */
public sealed interface Alarm {
    /** One sentence for people. Nothing may be decided by it. */
    String text();

    /**
     * What it is about: of several alarms of one topic only the first is raised. By default the alarm itself; where the
     * accused chooses the fields, the accused and the type, so that it cannot fill the operator's log.
     */
    default Object topic() {
        return this;
    }

    /**
     * The topic of what an appserver could do again and again.
     *
     * @param what the alarm's type, or the kind of proof
     */
    record About(Object what, int origin) {}

    /**
     * An appserver signed two logs: a head of it contradicts its log here.
     *
     * @param size the size of the contradicting head
     * @param root the root of the contradicting head
     */
    record ForkedLog(int origin, long size, Hash root) implements Alarm {
        @Override
        public Object topic() {
            return new About(ForkedLog.class, origin);
        }

        @Override
        public String text() {
            return "appserver " + origin + " signed a log that is forked: another one of " + size + " entries";
        }
    }

    /**
     * An appserver signed a log with an entry that breaks the rules.
     *
     * @param size the size of the head over the entry
     * @param root the root of that head
     */
    record BrokenLog(int origin, long size, Hash root) implements Alarm {
        @Override
        public Object topic() {
            return new About(BrokenLog.class, origin);
        }

        @Override
        public String text() {
            return "appserver " + origin + " signed a log that is broken: an entry of the first " + size
                    + " breaks the rules";
        }
    }

    /**
     * A peer showed a head of this server's own log that is longer than the log here: the store is older than what was sent.
     *
     * @param signed the size of that head, in entries
     * @param held the size of the log here, in entries
     */
    record OwnEntriesLost(long signed, long held) implements Alarm {
        @Override
        public String text() {
            return "a peer has own entries up to " + signed + " and this server only " + held
                    + ": the store is older than what was sent";
        }
    }

    /** This server holds the proof that an appserver is faulty, and brought it to the bftservers. */
    record ProvedFaulty(int accused, Kind kind, Hash evidence) implements Alarm {
        @Override
        public Object topic() {
            return new About(kind, accused);
        }

        @Override
        public String text() {
            return "appserver " + accused + " is proved faulty: " + kind + ", evidence " + evidence;
        }
    }

    /**
     * A certificate excludes an appserver.
     *
     * @param cut the last of its sequence numbers that stays valid
     */
    record Excluded(int origin, long cut, CertificateNumber certificate, Hash evidence) implements Alarm {
        @Override
        public String text() {
            return "appserver " + origin + " is excluded beyond its entry " + cut + " by certificate " + certificate
                    + ", evidence " + evidence;
        }
    }

    /**
     * The log of an appserver here is no prefix of what is certified. Its end is taken back, and pulled from others.
     *
     * @param kept how many of its entries stay
     * @param held how many entries there were
     * @param certificate the number of the certificate that has another log
     */
    record LogTakenBack(int origin, long kept, long held, CertificateNumber certificate) implements Alarm {
        @Override
        public String text() {
            return "the log of appserver " + origin + " here is not the one of certificate " + certificate + ": of "
                    + held + " entries " + kept + " stay, what is certified is pulled from others";
        }
    }

    /** A genuine certificate contradicts what this server has: from now on it cannot vouch for its state. */
    sealed interface NotOurHistory extends Alarm {
        CertificateNumber certificate();
    }

    /**
     * A certificate does not follow the one before it here.
     *
     * @param newest the number of the newest adopted certificate; 0 before the first
     */
    record NotChained(CertificateNumber certificate, CertificateNumber newest, CertificateChain.Break how)
            implements NotOurHistory {
        @Override
        public String text() {
            return "certificate " + certificate + " is not of this server's history: it does not follow certificate "
                    + newest + " (" + how + ")";
        }
    }

    /**
     * A certificate has other log roots than this server, which it could not repair.
     *
     * @param origins the appservers whose logs differ
     */
    record LogsDiverged(CertificateNumber certificate, List<Integer> origins) implements NotOurHistory {
        public LogsDiverged {
            origins = List.copyOf(origins);
        }

        @Override
        public String text() {
            return "certificate " + certificate + " is not of this server's history: the logs of appservers " + origins
                    + " differ";
        }
    }

    /**
     * A certificate has another state root than this server computed from the same entries.
     *
     * @param version the version that could be computed here; the certified one unless entries wait for each other
     */
    record StateDiverged(CertificateNumber certificate, VersionVector version, Hash computed, Hash certified)
            implements NotOurHistory {
        @Override
        public String text() {
            return "certificate " + certificate + " is not of this server's history: its state root is " + certified
                    + ", and here it is " + computed + " at " + version;
        }
    }

    /**
     * A peer sent a part of a snapshot that is not what is certified. Nothing of it is kept, and another peer is asked.
     */
    record ForgedSnapshot(int server, CertificateNumber number) implements Alarm {
        @Override
        public Object topic() {
            return new About(ForgedSnapshot.class, server);
        }

        @Override
        public String text() {
            return "appserver " + server + " sent a part of the snapshot at certificate " + number
                    + " that is not what is certified";
        }
    }

    /**
     * A certificate of which a snapshot was offered, with right signatures, does not come after the newest one here: more than b
     * bftservers sign two histories.
     */
    record SnapshotOfAnotherHistory(CertificateNumber number, CertificateNumber newest, CertificateChain.Break wrong)
            implements Alarm {
        @Override
        public String text() {
            return "certificate " + number + " has right signatures, and does not come after certificate " + newest
                    + ": " + wrong;
        }
    }
}
