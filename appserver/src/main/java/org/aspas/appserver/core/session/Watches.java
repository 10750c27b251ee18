package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.objects.ObjectPictures;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.TouchedObjects;
import org.aspas.appserver.core.port.ObjectChange;
import org.aspas.appserver.core.port.ObjectPage;
import org.aspas.appserver.core.port.ObjectPicture;
import org.aspas.appserver.core.port.ObjectQueries;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;

/**
 * Tells the shell what happens to the objects that it watches: at a tick, and not at every tick when the core lacks time, so that an
 * object that changes often costs no more than one that changes now and then. For one thread.
 */
final class Watches extends CorePart implements ObjectQueries {
    /** The pause between two tellings, in milliseconds, when nothing else waits for the core. */
    private static final long LEAST_PAUSE = 20;

    /** The same when the core lacks time. */
    private static final long MOST_PAUSE = 500;

    private final Logs logs;
    private final CertifiedHistory history;
    private final ObjectPictures pictures;
    private final TouchedObjects touched;
    private long told = Long.MIN_VALUE / 2;

    Watches(CoreContext context, Logs logs, ObjectStore objects, CertifiedHistory history, TouchedObjects touched) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.pictures = new ObjectPictures(objects);
        this.touched = touched;
    }

    /** A certificate was adopted; without entries it came with a whole state. */
    void adopted(Certification.Adopted adopted) {
        if (adopted.range().isEmpty()) {
            touched.touchAll(ObjectChange.Kind.CERTIFIED);
            touched.touchAll(ObjectChange.Kind.LOCAL);
        }
        touched.touch(adopted.range(), ObjectChange.Kind.CERTIFIED);
    }

    void tick() {
        if (touched.isEmpty() || !vouches() || time.now() - told < time.pause(LEAST_PAUSE, MOST_PAUSE)) {
            return;
        }
        told = time.now();
        List<ObjectChange> changes = new ArrayList<>();
        touched.take((key, kinds) -> {
            ObjectPicture picture = picture(key);
            kinds.forEach(kind -> changes.add(new ObjectChange(kind, picture)));
        });
        outbox.objects(changes);
    }

    private ObjectPicture picture(String key) {
        return pictures.of(key, logs.version(), history.number());
    }

    private boolean vouches() {
        return condition.serves() && !condition.amnesiac();
    }

    @Override
    public Optional<List<ObjectPicture>> pictures(List<String> keys) {
        return vouches() ? Optional.of(keys.stream().map(this::picture).toList()) : Optional.empty();
    }

    @Override
    public Optional<ObjectPage> page(CertificateNumber number, Hash from) {
        return pictures.page(number.equals(CertificateNumber.NONE) ? history.number() : number, from);
    }
}
