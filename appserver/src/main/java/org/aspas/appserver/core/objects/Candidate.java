package org.aspas.appserver.core.objects;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Entry;
import org.aspas.certify.state.StateTree;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;

/** The state at a version that may be certified next, as a difference to the certified one. */
public final class Candidate {
    final VersionVector version;
    final List<Entry> range;
    final Map<ObjectKey, Crdt> objects = new HashMap<>();
    final Map<ObjectKey, Hash> digests = new HashMap<>();
    final Map<ClientId, CertifiedClient.Change> clients = new HashMap<>();
    final Map<String, String> newTypes = new HashMap<>();
    StateTree tree = StateTree.empty();

    Candidate(VersionVector version, List<Entry> range) {
        this.version = version;
        this.range = range;
    }

    /** The version: of the entries that it was computed from, without those that wait for each other. */
    public VersionVector version() {
        return version;
    }

    /** The root of the state tree there. */
    public Hash root() {
        return tree.root();
    }

    /** The entries since the certified version, in canonical order. */
    public List<Entry> range() {
        return range;
    }
}
