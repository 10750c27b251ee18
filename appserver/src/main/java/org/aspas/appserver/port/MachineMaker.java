package org.aspas.appserver.port;

import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;

/** Makes the machine that an appserver runs. */
@FunctionalInterface
public interface MachineMaker {
    /** The protocol's own core, which needs no links: what it sends is among its effects. */
    MachineMaker CORE = (settings, records, store, links) -> AppServerCore.recover(settings, records, store);

    /** As {@link #CORE}; but with an empty store it enters nothing before peers have told what they hold of its log. */
    MachineMaker INTRODUCED = (settings, records, store, links) -> AppServerCore.introduced(settings, records, store);

    /**
     * Makes a machine; called once, before the server's ports are bound.
     *
     * @param records what its store kept: records in order, and a base
     * @param store whether these are all that the server ever promised
     * @param links the way to other servers, for machines that send what is no message; sends nothing before the server
     *     has started
     */
    AppServerMachine make(CoreSettings settings, StoredHistory records, StoreState store, PeerTransport links);
}
