package org.aspas.appserver.core.object;

import java.util.Map;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.OpenSession;

/**
 * The whole state at one certificate, put together from the chunks of a snapshot by {@link StateAssembly}, or from a base by
 * {@link StateLoading}. For one thread.
 */
public final class CertifiedState {
    final Map<ObjectKey, CertifiedObject> objects;
    final Map<ClientId, CertifiedClient> clients;
    final StateTree tree;
    /** How many objects of the tree are in the base alone. */
    final long cold;

    CertifiedState(
            Map<ObjectKey, CertifiedObject> objects,
            Map<ClientId, CertifiedClient> clients,
            StateTree tree,
            long cold) {
        this.objects = objects;
        this.clients = clients;
        this.tree = tree;
        this.cold = cold;
    }

    /** What is told of a client that has a record. */
    public interface ClientVisitor {
        /**
         * Takes a client.
         *
         * @param numbers the request numbers that have counted
         * @param session the highest session record's number and tolerance
         */
        void take(ClientId client, IntervalSet intervals, OpenSession session);
    }

    public long objectCount() {
        return objects.size() + cold;
    }

    public int clientCount() {
        return clients.size();
    }

    public void clients(ClientVisitor visitor) {
        clients.forEach((client, record) -> record.show(client, visitor));
    }
}
