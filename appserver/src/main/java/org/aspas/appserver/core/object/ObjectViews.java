package org.aspas.appserver.core.object;

import java.util.Optional;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.CrdtView;
import org.aspas.crdt.type.ElementsView;
import org.jspecify.annotations.Nullable;

/** Shows what a store has of objects, at a cost that does not follow their size. For one thread. */
public final class ObjectViews {
    private final ObjectStore objects;

    public ObjectViews(ObjectStore objects) {
        this.objects = objects;
    }

    /** An object as it is now, at the delivered version and the newest certificate. */
    public ObjectView of(String key, VersionVector version, CertificateNumber certificate) {
        String type = objects.type(key).orElse(null);
        return new ObjectView(
                key,
                type,
                type == null ? ObjectView.Shown.NOTHING : shown(objects.live(key, type)),
                type == null
                        ? ObjectView.Shown.NOTHING
                        : shown(objects.certified(new ObjectKey(key, type)).state()),
                version,
                certificate);
    }

    /**
     * Objects of a certificate, those that are in the base alone read from there.
     *
     * @param from the path with which the page begins
     * @return the page; empty when the certificate is not remembered
     */
    public Optional<ObjectPage> page(CertificateNumber number, Hash from) {
        return objects.view(number).map(view -> {
            StateView.Listing listing = view.list(from);
            return new ObjectPage(
                    number,
                    listing.objects().stream().map(ObjectViews::listed).toList(),
                    listing.next().orElse(null));
        });
    }

    private static ObjectPage.Listed listed(ObjectLeaf.Held held) {
        return new ObjectPage.Listed(
                held.name().key(), held.name().type(), shown(held.object().state()));
    }

    private static ObjectView.Shown shown(CrdtView state) {
        @Nullable Long elements = state.elements().map(ElementsView::size).orElse(null);
        return new ObjectView.Shown(state.bytes() <= ObjectView.Shown.MOST_BYTES ? state.value() : null, elements);
    }
}
