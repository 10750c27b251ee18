package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Entry;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/** The state at a version that may be certified next, as a difference to the certified one. */
public final class Candidate {
    final VersionVector version;
    final List<Entry> range;
    final Map<ObjectKey, CertifiedObject> objects = new HashMap<>();

    /** The objects that its updates name, whatever effect they have. */
    final Set<ObjectKey> updated = new HashSet<>();

    /** For each of the objects, the elements that may have changed. */
    final Map<ObjectKey, Set<Value>> changed = new HashMap<>();

    final Map<ClientId, CertifiedClient.Change> clients = new HashMap<>();
    /** Updates whose numbers are too far ahead of their clients' others. */
    final List<DeliveredUpdate> uncounted = new ArrayList<>();

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

    public Hash root() {
        return tree.root();
    }

    /** The entries since the certified version, in canonical order. */
    public List<Entry> range() {
        return range;
    }
}
