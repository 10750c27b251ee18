/** Tests of {@code org.aspas.emulab.experiments}. */
package org.aspas.emulab.experiments;
