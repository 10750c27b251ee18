package org.aspas.appserver.core.objects;

import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.state.StateTree;

/** What is certified of one client. All of it is a function of the certified entries. For one thread. */
final class CertifiedClient {
    /** How far below the highest certified number the counted entries are remembered by name. */
    static final long REMEMBERED = 1024;

    final Numbers numbers = new Numbers();
    final TreeMap<Long, Counted> recent = new TreeMap<>();
    long session;
    long tolerance;
    long counted;
    long highest;
    Hash chain = Hash.ZERO;

    /** What a candidate adds to a record. */
    static final class Change {
        private final ClientId client;
        private final CertifiedClient base;
        private final TreeMap<Long, Counted> added = new TreeMap<>();
        private long session;
        private long tolerance;
        private long counted;
        private long highest;
        private Hash chain;

        Change(ClientId client, CertifiedClient base) {
            this.client = client;
            this.base = base;
            this.session = base.session;
            this.tolerance = base.tolerance;
            this.counted = base.counted;
            this.highest = base.highest;
            this.chain = base.chain;
        }

        ClientId client() {
            return client;
        }

        boolean counts(long number) {
            return added.containsKey(number) || base.numbers.contains(number);
        }

        Optional<Counted> find(long number) {
            Counted found = added.get(number);
            return Optional.ofNullable(found != null ? found : base.recent.get(number));
        }

        void open(OpenSession record) {
            if (record.number() > session) {
                session = record.number();
                tolerance = record.tolerance();
            }
        }

        void count(Counted one) {
            added.put(one.number(), one);
            counted++;
            highest = Math.max(highest, one.number());
            chain = StateLeaves.counted(chain, one.number(), one.dot());
        }

        Hash path() {
            return StateTree.clientPath(client.key().toBytes());
        }

        Hash leaf() {
            return StateLeaves.client(client, session, tolerance, counted, highest, chain);
        }

        /** Makes what was added part of the record, and returns that. */
        CertifiedClient commit() {
            base.session = session;
            base.tolerance = tolerance;
            base.counted = counted;
            base.highest = highest;
            base.chain = chain;
            added.keySet().forEach(base.numbers::add);
            base.recent.putAll(added);
            base.recent.headMap(highest - REMEMBERED, true).clear();
            return base;
        }

        Iterable<Counted> added() {
            return added.values();
        }
    }
}
