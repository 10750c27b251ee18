/** Tests of {@code org.aspas.emulab.lab.delay}. */
package org.aspas.emulab.lab.delay;
